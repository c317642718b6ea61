const MOST = 5

/** Names as a list in a sentence; of many the first few and how many more there are. */
export function listed(names: readonly string[]): string {
  const rest = names.length - MOST
  return rest <= 0 ? names.join(', ') : `${names.slice(0, MOST).join(', ')} and ${rest} more`
}
