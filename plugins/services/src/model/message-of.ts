/** Returns the message of an error for a condition or an Event. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
