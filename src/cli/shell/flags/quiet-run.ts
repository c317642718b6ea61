/** Reports whether the words of a command line include `--quiet`, even if it cannot be parsed. */
export function isQuietRun(argv: readonly string[]): boolean {
  return argv.some(word => word === '--quiet' || /^-[a-z]*q[a-z]*$/.test(word))
}
