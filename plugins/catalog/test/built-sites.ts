import {readdirSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {runCliWith} from '../../../test/run-cli.js'

const SRC = join(import.meta.dirname, '../src')

/** Builds sites below a folder, and reads what they have. */
export function builtSites(home: string) {
  const at = (path: string) => join(home, path)
  return {
    at,
    /** Builds a site of a folder of packages; both paths are below the folder. */
    buildOf: async (packages: string, folder: string, ...more: readonly string[]) => {
      const args = ['--packages', at(packages), '--output-dir', at(folder), '--offline', ...more]
      const {status, stdout, stderr} = await runCliWith(SRC, 'catalog', 'build', ...args)
      return {status, stdout, stderr}
    },
    /** The texts of the files of a site, by path. */
    filesOf: (folder: string): ReadonlyMap<string, string> => {
      const paths = readdirSync(at(folder), {recursive: true, withFileTypes: true})
        .filter(entry => entry.isFile())
        .map(entry => join(entry.parentPath, entry.name).slice(at(folder).length + 1))
      return new Map(paths.sort().map(path => [path, readFileSync(at(join(folder, path)), 'utf8')]))
    },
    /** A page as it is read: without the places where long names can continue in the next line. */
    page: (folder: string, path: string) =>
      readFileSync(at(join(folder, path)), 'utf8').replaceAll('<wbr />', ''),
  }
}
