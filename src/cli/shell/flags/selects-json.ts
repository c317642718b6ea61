/** Reports whether a command line selects JSON output, even if it cannot be parsed. */
export function selectsJson(argv: readonly string[]): boolean {
  return selectsOutput(argv, 'json')
}

/** Reports whether a command line selects an output format, even if it cannot be parsed. */
export function selectsOutput(argv: readonly string[], format: string): boolean {
  return argv.some(
    (word, index) =>
      word === `-o${format}` ||
      word === `--output=${format}` ||
      word === `-o=${format}` ||
      (word === format && /^(?:-o|--output)$/.test(argv[index - 1] ?? '')),
  )
}
