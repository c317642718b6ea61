/** Whether a command line selects JSON output, also where it cannot be parsed. */
export function selectsJson(argv: readonly string[]): boolean {
  return argv.some(
    (word, index) =>
      word === '-ojson' ||
      word === '--output=json' ||
      word === '-o=json' ||
      (word === 'json' && /^(?:-o|--output)$/.test(argv[index - 1] ?? '')),
  )
}
