/** Formats a time as Kubernetes does, in whole seconds: `2026-01-01T00:00:00Z`. @param milliseconds - since the epoch. */
export function timeText(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace(/\.\d+Z$/, 'Z')
}
