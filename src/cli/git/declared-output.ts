import {readDeclaration} from '../../declaration/read-declaration.js'
import type {Diagnostic} from '../../diagnostic.js'
import {CrossplaneError} from '../../errors.js'
import type {ReadRequest} from '../../pipeline/request/read-request.js'
import {baseNote} from '../../plan/declaration/base-notes.js'
import {hasEntry} from '../sources/default-declaration.js'
import {inputFiles} from '../files/input-files.js'

/** Reports whether a declaration names the objects of its users. */
export async function declaresObjects(declaration: string): Promise<boolean> {
  if (declaration === '-') return false
  const {name, bytes} = await inputFiles.read(declaration, '--declaration')
  return readDeclaration(name, bytes).usage !== undefined
}

/** Returns a note about what a declaration takes from its base; none for standard input. */
export async function noteOfBase(declaration: string | undefined): Promise<readonly Diagnostic[]> {
  if (declaration === undefined || declaration === '-') return []
  return baseNote(await inputFiles.read(declaration, '--declaration'))
}

/** Returns the same note about the declaration of a request. */
export function notesOfBase({declaration}: Pick<ReadRequest, 'declaration'>): readonly Diagnostic[] {
  return baseNote(declaration)
}

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
