import type {InputFile} from '../../render/written-input.js'

/** Reads the files that a command line or a declaration names. */
export interface InputFiles {
  /** Reads a file, or standard input for `-`; `flag` is the flag that named it. Throws `not-found`. */
  read(name: string, flag: string): Promise<InputFile>
  /** Resolves a path in a file: relative paths start at the file's folder. */
  beside(file: string, path: string): string
}

/** Returns files of which one has a planned content. */
export function withContent(inputs: InputFiles, file: string, text: string, isSplit = false): InputFiles {
  return {
    ...inputs,
    read: async (name, flag) =>
      name === file ? {name, bytes: Buffer.from(text), isSplit} : await inputs.read(name, flag),
  }
}
