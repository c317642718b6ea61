/** Moves a line beyond the deepest block that can be around it. */
const SHIFT = ' '.repeat(100)

/**
 * A text with lines moved to the right because a parser rejected their indentation as too small. Each time that the
 * rejected line follows those moved before, twice as many are moved: within brackets or quotes, usually all lines
 * have the same indentation. A line that was moved although the brackets or quotes ended before it is an error at its
 * new place; then it and those after it are moved back.
 */
export class ShiftedLines {
  readonly #lines: string[]
  /** The lines that were moved last: from one up to, but not including, the other. */
  #first = 0
  #end = 0

  constructor(text: string) {
    this.#lines = text.split('\n')
  }

  text(): string {
    return this.#lines.join('\n')
  }

  /** Moves lines after a parser failed at this one, counted from 0; false if that does not help. */
  shiftAt(line: number, isTooFarLeft: boolean): boolean {
    if (!isTooFarLeft) return this.#shiftBack(line)
    const follows = line === this.#end ? 2 * (this.#end - this.#first) : 0
    return this.#shift(line, Math.max(1, follows))
  }

  /** Never moves the start or the end of a document, which end all collections. */
  #shift(line: number, count: number): boolean {
    this.#first = line
    this.#end = line
    while (this.#end < line + count && this.#end < this.#lines.length && !this.#isMarker(this.#end)) {
      this.#lines[this.#end] = SHIFT + (this.#lines[this.#end] ?? '')
      this.#end++
    }
    return this.#end > line
  }

  #isMarker(line: number): boolean {
    return /^(?:---|\.\.\.)(?:[ \t]|$)/.test(this.#lines[line] ?? '')
  }

  /** The first of the lines always has to be moved: it is the one that was rejected. */
  #shiftBack(line: number): boolean {
    if (line <= this.#first || line >= this.#end) return false
    for (let at = line; at < this.#end; at++) this.#lines[at] = this.#lines[at]?.slice(SHIFT.length) ?? ''
    this.#first = line
    this.#end = line
    return true
  }
}
