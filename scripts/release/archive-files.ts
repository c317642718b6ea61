import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import type {ArchiveFile} from './archive.js'
import {codeCachesOf} from './code-cache.js'
import {executable} from './executable.js'
import type {NodeFiles} from './fetch-node.js'
import {type Platform, programName} from './platforms.js'
import {startScript} from './start-script.js'

/** What every archive is made of. */
export interface ArchiveParts {
  /** The folder of package.json. */
  readonly root: string
  readonly bundle: string
  /** The files of the template engines and the worker of rules, by name. */
  readonly engines: ReadonlyMap<string, Uint8Array>
  readonly thirdPartyLicenses: string
  /** A Node of the released version that runs here, and its platform. */
  readonly host: {readonly path: string; readonly platform: Platform}
}

/**
 * Returns the files of the archive of a platform. For Linux and Windows the program is one executable. For macOS, where a
 * changed executable loses the signature without which it does not start, Node stays as it is beside the bundle.
 */
export function archiveFiles(
  parts: ArchiveParts,
  platform: Platform,
  node: NodeFiles,
): readonly ArchiveFile[] {
  const files = platform.os === 'darwin' ? besideBundle(parts, node) : oneFile(parts, platform, node)
  return [...files, ...documents(parts), completion(platform)]
}

function oneFile(
  {bundle, engines, host}: ArchiveParts,
  platform: Platform,
  {program}: NodeFiles,
): ArchiveFile[] {
  // Compiled code is for one kind of machine: elsewhere, the first run compiles.
  const codeCaches = platform === host.platform ? codeCachesOf(host.path, bundle) : undefined
  return [
    programAt(programName(platform), executable(host.path, {node: program, bundle, engines, codeCaches})),
  ]
}

function besideBundle({bundle, engines}: ArchiveParts, {program}: NodeFiles): ArchiveFile[] {
  return [
    programAt('kubectl-crossplane', script('kubectl-crossplane.sh')),
    programAt('lib/node', program),
    textAt('lib/kubectl-crossplane.cjs', Buffer.from(bundle, 'latin1')),
    textAt('lib/run.cjs', startScript('run.cjs')),
    ...[...engines].map(([name, content]) => textAt(`lib/${name}`, content)),
  ]
}

function documents({root, thirdPartyLicenses}: ArchiveParts): ArchiveFile[] {
  return [
    textAt('LICENSE', readFileSync(join(root, 'LICENSE'))),
    textAt('README.md', readFileSync(join(root, 'README.md'))),
    textAt('THIRD-PARTY-LICENSES', Buffer.from(thirdPartyLicenses)),
  ]
}

function completion({os}: Platform): ArchiveFile {
  return os === 'windows'
    ? textAt('kubectl_complete-crossplane.cmd', script('kubectl_complete-crossplane.cmd'))
    : programAt('kubectl_complete-crossplane', script('kubectl-crossplane.sh'))
}

function script(name: string): Uint8Array {
  return readFileSync(join(import.meta.dirname, name))
}

function programAt(path: string, content: Uint8Array): ArchiveFile {
  return {path: `kubectl-crossplane/${path}`, isProgram: true, content}
}

function textAt(path: string, content: Uint8Array): ArchiveFile {
  return {path: `kubectl-crossplane/${path}`, isProgram: false, content}
}
