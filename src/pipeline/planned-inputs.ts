import type {InputFiles} from './request/input-files.js'

/** Returns files of which one has a planned content. */
export function withContent(inputs: InputFiles, file: string, text: string, isSplit = false): InputFiles {
  return {
    ...inputs,
    read: async (name, flag) =>
      name === file ? {name, bytes: Buffer.from(text), isSplit} : await inputs.read(name, flag),
  }
}
