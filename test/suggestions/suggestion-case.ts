/** A command line that fails, and whose suggestions are followed. Each area has a file of cases in this folder. */
export interface SuggestionCase {
  readonly name: string
  readonly in: readonly string[]
}
