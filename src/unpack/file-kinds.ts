import {baseName, type PackageFile} from './package-file.js'

/** A package's files by the kind that their names give. */
export interface FileKinds {
  readonly all: readonly PackageFile[]
  readonly apps: readonly PackageFile[]
  readonly installs: readonly PackageFile[]
  readonly behaviors: readonly PackageFile[]
  readonly crds: readonly PackageFile[]
  readonly groups: readonly PackageFile[]
  readonly resources: readonly PackageFile[]
  readonly icons: readonly PackageFile[]
  readonly uiSchemas: readonly PackageFile[]
  /** Files with other names, which are not read. */
  readonly others: readonly PackageFile[]
}

type Recognize = (name: string) => boolean

/** By base name, at any depth; a name can be of two kinds. */
const KINDS: Readonly<Record<Exclude<keyof FileKinds, 'all' | 'others'>, Recognize>> = {
  apps: name => name === 'app.yaml',
  installs: name => name === 'install.yaml',
  behaviors: name => name === 'behavior.yaml',
  crds: name => name.endsWith('crd.yaml'),
  groups: name => name === 'group.yaml',
  resources: name => name.endsWith('resource.yaml'),
  icons: name => /icon\..*$/s.test(name),
  uiSchemas: name => name.endsWith('ui-schema.yaml'),
}

/** Sorts files into kinds, each in the order given. */
export function fileKinds(files: readonly PackageFile[]): FileKinds {
  const named = (recognize: Recognize) => files.filter(file => recognize(baseName(file)))
  return {
    all: files,
    apps: named(KINDS.apps),
    installs: named(KINDS.installs),
    behaviors: named(KINDS.behaviors),
    crds: named(KINDS.crds),
    groups: named(KINDS.groups),
    resources: named(KINDS.resources),
    icons: named(KINDS.icons),
    uiSchemas: named(KINDS.uiSchemas),
    others: named(name => !isRecognized(name)),
  }
}

/** Reports whether a file of that base name is read at all. */
export function isRecognized(name: string): boolean {
  return Object.values(KINDS).some(recognize => recognize(name))
}
