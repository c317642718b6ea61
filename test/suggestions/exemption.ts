import type {Argv} from './suggestion-case.js'

/** A suggestion that no case shows: it is followed all the same, with a word in place of what is filled in. */
export interface Exemption {
  readonly reason: string
  /** A command line that can show it. */
  readonly in: Argv
}

export const RENDER = ['package', 'render', 'x/a']
export const XPKG = 'a package for a current Crossplane'
export const INSTALL = ['package', 'install', 'x/a']
export const DOCTOR = ['doctor']
export const IMPORT = ['package', 'import']
export const CORE = 'a cluster with Crossplane'
export const SPLIT = ['package', 'lock', '--declaration', 'x.yaml', '--split']
export const UNINSTALL = ['package', 'uninstall', 'x']
export const MOVE = ['package', 'move', 'x', 'r.example.org/x/a']
export const MOVE_GIT = [...MOVE, '--git', '.', '--context', 'x']
export const UPGRADE = ['package', 'upgrade', '--declaration', '-']
export const ROLLBACK = ['package', 'rollback', 'x']
export const GIT_ROLLBACK = [...ROLLBACK, '--git', '.']
export const LIST = ['registry', 'index', 'list', '--index', 'x/index']
export const TEMPLATE_INIT = ['template', 'init', 'x', '--from-kustomization', 'y']
export const TEMPLATE_RUN = ['template', 'run', '--stack', 'x/y']
export const SERVICES_RUN = ['services', 'run', '--claim', 'a.x', '--class', 'b.x', '--managed', 'c.x']
export const DRIFT = ['package', 'drift', '--git', 'x']
export const GIT = [...INSTALL, '--git', '.']
export const GIT_YES = [...GIT, '--yes']
export const GIT_UNINSTALL = [...UNINSTALL, '--git', '.']
export const NEEDS = (what: string, argv: Argv = RENDER): Exemption => ({reason: `needs ${what}`, in: argv})
export const IN_CLUSTER = NEEDS('a cluster', INSTALL)

export const PUSH_SIGNED = ['package', 'push', 'x/a', '--sign-key', 'x', '--provenance', '--sbom', 'y']
export const PUSH_KEYLESS = ['package', 'push', 'x/a', '--identity-token', 'x', '--fulcio-url', 'y']
export const BUNDLE_CREATE = ['bundle', 'create', 'x/a', '--output-file', 'x.tar']
export const BUNDLE_VERIFY = ['bundle', 'verify', 'x.tar']
export const BUNDLE_PUSH = ['bundle', 'push', 'x.tar', 'r.example.org/x']

export const PROMOTE = ['package', 'promote', 'clusters/staging', 'clusters/production']

export const VERIFY = ['package', 'verify', 'x.tar', '--key', 'x.pub']
export const LINT = ['package', 'lint', 'x']
