import type {PackagePorts} from '../../src/locate/located-package.js'
import type {PackageFile} from '../../src/unpack/package-file.js'
import {memoryDirectory} from '../unpack/files/memory-directory.js'

/** Ports that find the files of a package in its folder, and nothing elsewhere. */
export function packagePorts(files: readonly PackageFile[]): PackagePorts {
  const text = ({path, bytes}: PackageFile) => [`.registry/${path}`, Buffer.from(bytes).toString('utf8')]
  const directory = memoryDirectory(Object.fromEntries(files.map(text)) as Record<string, string>)
  const never = () => Promise.reject(new Error('only a directory is requested'))
  return {
    sources: {directory: () => Promise.resolve(directory), files: never, file: never},
    remote: {},
  }
}
