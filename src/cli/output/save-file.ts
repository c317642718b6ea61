import {imageOutputs} from '../wire.js'

/** Writes a text to a file, whole or not at all. */
export async function saveFile(text: string, path: string): Promise<void> {
  const file = (await imageOutputs()).file(path)
  await file.existing()
  await file.write(bytesOf(text))
}

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(Buffer.from(text))
}
