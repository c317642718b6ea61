/** A value, and the line of the file that has it. */
export type Sourced<T> = T & {readonly line: number}
