import {cacheFolder} from '../../src/adapters/cache-folder.js'

/** Reads one name of a cache as the user of this process, and prints the text or the error code and message. */
const [root = '', name = ''] = process.argv.slice(2)
try {
  const bytes = await cacheFolder(root).read(name, 1000)
  process.stdout.write(bytes === undefined ? 'absent' : Buffer.from(bytes).toString())
} catch (error) {
  const {code, message} = error as Error & {readonly code?: string}
  process.stdout.write(`${code ?? 'uncoded'}: ${message}`)
}
