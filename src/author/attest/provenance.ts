import {CrossplaneError} from '../../errors.js'
import type {Statement} from '../../signatures/statement.js'
import type {JsonObject} from '../../yaml/json-value.js'
import type {SourceFacts} from '../build/source-control.js'
import {sourceUrl} from '../build/source-url.js'

/** An image that a build was made on. */
interface Material {
  readonly uri: string
  readonly digest: string
}

/** What provenance states about the build of a package. */
export interface BuildRecord {
  /** The folder that was built, for messages. */
  readonly path: string
  /** The URI of the builder. */
  readonly builder: string
  /** The version of this program. */
  readonly version: string
  readonly source: SourceFacts | undefined
  /** The path of the folder in its repository. */
  readonly folder: string | undefined
  /** The settings of the build that change its result. */
  readonly settings: JsonObject
  readonly base?: Material
}

/** The type of builds by this program; docs/signatures.md describes its parameters. */
const BUILD_TYPE = 'https://packages.kubectl-crossplane.dev/build/v1'

const PROVENANCE = 'https://slsa.dev/provenance/v1'

/**
 * Returns the provenance of a build. The same build gives the same statement. Throws `input-invalid` for a folder whose files
 * are not those of a commit of a repository with an address. https://slsa.dev/spec/v1.0/provenance
 */
export function provenanceOf(record: BuildRecord): Statement {
  const {builder, version, folder, settings, base} = record
  const {uri, revision} = committedSource(record)
  return {
    predicateType: PROVENANCE,
    predicate: {
      buildDefinition: {
        buildType: BUILD_TYPE,
        externalParameters: {
          source: uri,
          ...(folder === undefined || folder === '' ? {} : {path: folder}),
          ...settings,
        },
        resolvedDependencies: [
          {uri, digest: {gitCommit: revision}},
          ...(base === undefined
            ? []
            : [{uri: base.uri, digest: {sha256: base.digest.slice('sha256:'.length)}}]),
        ],
      },
      runDetails: {builder: {id: builder, version: {'kubectl-crossplane': version}}},
    },
  }
}

function committedSource({path, source}: BuildRecord): {readonly uri: string; readonly revision: string} {
  if (source === undefined) {
    throw cannot(
      path,
      'it is not in a Git repository',
      'Run this in a clone of the repository of the package.',
    )
  }
  if (source.unread !== undefined) {
    const {message, suggestions} = source.unread
    throw cannot(path, message, ...suggestions)
  }
  if (source.revision === undefined) {
    const why = 'its files are not those of a commit'
    throw cannot(path, why, `Commit all of its files: git -C ${path} status --ignored shows the others.`)
  }
  const url = sourceUrl(source.remote ?? '')
  if (url === '') {
    const why = 'its repository has no remote with the name origin and an address'
    throw cannot(path, why, `Set it: git -C ${path} remote add origin URL`)
  }
  return {uri: `git+${url}`, revision: source.revision}
}

function cannot(path: string, why: string, ...suggestions: readonly string[]): CrossplaneError {
  return new CrossplaneError('input-invalid', `cannot state the provenance of ${path}: ${why}`, {suggestions})
}
