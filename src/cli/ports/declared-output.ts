import {readDeclaration} from '../../declaration/read-declaration.js'
import {CrossplaneError} from '../../errors.js'
import {hasEntry} from '../options/default-declaration.js'
import {inputFiles} from './input-files.js'

/** Returns the folder of the rendered tree that a declaration has; undefined without one, and for standard input. */
export async function declaredOutput(declaration: string): Promise<string | undefined> {
  if (declaration === '-') return undefined
  try {
    const {name, bytes} = await inputFiles.read(declaration, '--declaration')
    return readDeclaration(name, bytes).tree.output
  } catch (error) {
    // Without a declaration, a comparison of hashes is possible.
    if (error instanceof CrossplaneError && error.code === 'not-found' && !hasEntry(declaration))
      return undefined
    throw error
  }
}
