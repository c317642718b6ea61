import {readDeclaration} from '../../declaration/read-declaration.js'
import type {CrossplaneError} from '../../errors.js'
import {nameFromSource} from '../../reference/image-source.js'
import {canonicalSource, mirroredRepository, type Mirrors} from '../../reference/mirrors.js'
import {DOCKER_IO, repositoryOf} from '../../reference/repository.js'
import type {InputFiles} from '../request/input-files.js'
import {type DeclaredSources, sourcesIn} from '../request/read-request.js'
import {attempt} from './attempt.js'

/** A declaration that commands read if their command line names no other, or the reason why it cannot be read. */
export interface FoundDeclaration {
  readonly file: string
  readonly content: {readonly packages: number; readonly sources: DeclaredSources} | CrossplaneError
}

/** Reads a declaration for its sources. */
export async function readFoundDeclaration(file: string, inputs: InputFiles): Promise<FoundDeclaration> {
  const content = await attempt(async () => {
    const {name, bytes} = await inputs.read(file, '--declaration')
    const declaration = readDeclaration(name, bytes)
    return {packages: declaration.packages.length, sources: sourcesIn(declaration, file, inputs)}
  })
  return {file, content}
}

/** Lists the registries that are contacted: that of references without one, unless a mirror replaces it, and mirrors. */
export function contactedRegistries(source: string | undefined, mirrors: Mirrors): readonly string[] {
  const registry =
    source === undefined ? DOCKER_IO : repositoryOf(nameFromSource({path: 'any/any'}, source)).registry
  const first = mirroredRepository({registry, path: 'any/any'}, mirrors).registry
  const others = Object.values(mirrors).map(mirror => canonicalSource(mirror).split('/')[0] ?? '')
  return [...new Set([first, ...others])]
}
