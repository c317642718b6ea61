/** Reports whether a command line selects JSON output, even if it cannot be parsed. */
export function selectsJson(argv: readonly string[]): boolean {
  return argv.some(
    (word, index) =>
      word === '-ojson' ||
      word === '--output=json' ||
      word === '-o=json' ||
      (word === 'json' && /^(?:-o|--output)$/.test(argv[index - 1] ?? '')),
  )
}
