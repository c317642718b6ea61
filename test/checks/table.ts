import type {FIXTURES} from './fixtures.js'
import type {Format, Place} from './worlds.js'

/** Why a check is not made at a place, as the record of decisions says it. */
export const REASONS = {
  'one package':
    'it sees one version of one package: no release before it, no set, no lock and no policy of a user',
  'lock judges': 'the lock was judged when it changed; what it names is used as it is',
  'tree judges': 'the trees that are rendered from a lock are compared with those of before, file by file',
  'tree is kept':
    'the file is compared with what is rendered; whether the change was wanted, its review decides',
  'Crossplane installs': 'Crossplane installs the objects: a tree or a bundle has the request for them',
  'not in the format': 'packages of this format do not have what is checked',
  'its own format': 'the package manager serves requests for packages of Crossplane v0.12 only',
  'not rendered': 'the policy judges rendered objects, and this place renders none',
  'asked for': 'an upgrade takes what a tag names now, and its plan shows what changes',
  'no test yet': 'it may be made there, but no test shows it: do not rely on it',
} as const
export type Reason = keyof typeof REASONS

/** The record of decisions that explains the reasons, in docs/decisions. */
export const RECORD = '0102-where-checks-are-made.md'

/** How a place makes a check: by a rule in its output and an exit status, as a test of another suite shows, or not. */
export type Cell =
  | {readonly rule: string; readonly status: number}
  | {readonly suite: string; readonly test: string}
  | {readonly no: Reason}

type Cells = Readonly<Record<Place, Cell>>

/** A check, and where it is made. */
export interface Check {
  readonly title: string
  readonly cells: Readonly<Record<Format, Cells>>
}

const yes = (rule: string, status: number): Cell => ({rule, status})
const no = (reason: Reason): Cell => ({no: reason})

const core = (test: string): Cell => ({suite: 'test/xpkg/core/installed.real.test.ts', test})
const manager = (test: string): Cell => ({suite: 'plugins/package-manager/test/run.real.test.ts', test})

const LOSSES = core(
  'rejects versions that lose custom resources, and names the conditions of those that do not work',
)
const LOST_IN_MANAGER = manager(
  'upgrades by a change of the request, and leaves all as it is where that would lose instances',
)
const UNTESTED = no('no test yet')

const SINGLE = at(['lint', 'build', 'push'], no('one package'))
const IN_CLUSTER = ['install', 'upgrade', 'manager'] as const
const CHANGES = ['install', 'upgrade'] as const
/** What no test shows in a cluster. */
const UNSEEN = {stack: at(IN_CLUSTER, UNTESTED), xpkg: {...at(['install', 'upgrade'], UNTESTED), ...xpkgs()}}

function xpkgs() {
  return {manager: no('its own format')}
}

/** A check that compares a release with the one before. */
function release(title: string, rule: string, {inFolder, stack = {}, xpkg = {}}: Release): Check {
  const kept = {check: no('tree is kept'), bundle: no('lock judges')}
  return {
    title,
    cells: {
      stack: {
        ...{...SINGLE, ...kept, lock: no('tree judges'), render: yes(inFolder, 0)},
        ...{'--git': yes(rule, 5), ...UNSEEN.stack, ...stack},
      },
      xpkg: {
        ...{...SINGLE, ...kept, lock: yes(rule, 0), render: no('lock judges')},
        ...{'--git': yes(rule, 5), ...UNSEEN.xpkg, ...xpkg},
      },
    },
  }
}

interface Release {
  /** The rule where a folder is rendered over the former one. */
  readonly inFolder: string
  /** In clusters. */
  readonly stack?: Partial<Cells>
  readonly xpkg?: Partial<Cells>
}

const RESOLUTION = ['lock', 'render', '--git', 'bundle'] as const

/** A check that resolution makes, which no lock passes. */
function resolution(
  title: string,
  rules: Readonly<Record<Format, string>>,
  {stack = {}, xpkg = {}}: Omit<Release, 'inFolder'>,
): Check {
  const common = {...SINGLE, check: no('lock judges')}
  return {
    title,
    cells: {
      stack: {...common, ...at(RESOLUTION, yes(rules.stack, 3)), ...UNSEEN.stack, ...stack},
      xpkg: {...common, ...at(RESOLUTION, yes(rules.xpkg, 3)), ...UNSEEN.xpkg, ...xpkg},
    },
  }
}

const OFFLINE = ['lock', 'render', 'check', '--git', 'bundle'] as const

/** A check that each command which reads packages makes in the same way. */
function everyRead(title: string, rule: string, stack: Partial<Cells>): Check {
  const common = {...SINGLE, ...at(OFFLINE, yes(rule, 4))}
  return {title, cells: {stack: {...common, ...UNSEEN.stack, ...stack}, xpkg: {...common, ...UNSEEN.xpkg}}}
}

function at<P extends Place>(places: readonly P[], cell: Cell): Readonly<Record<P, Cell>> {
  return Object.fromEntries(places.map(place => [place, cell])) as Record<P, Cell>
}

const AUTHORED = ['lint', 'build', 'push'] as const
const ALL = [...AUTHORED, ...OFFLINE, ...IN_CLUSTER] as const

const FUNCTION_LOST = release(
  'A function that a Composition of the set still calls leaves it',
  'xpkg-function-lost',
  {
    inFolder: '',
  },
)

const CRD_CHANGES = release('A change of a CRD that a policy rejects', 'policy-crd-change', {
  inFolder: '',
  stack: at(CHANGES, yes('policy-crd-change', 4)),
  xpkg: {upgrade: LOSSES},
})

/** All checks, by the names of their fixtures. */
export const CHECKS: Readonly<Record<keyof typeof FIXTURES, Check>> = {
  'crd-refused': {
    title: 'A CRD that a current API server rejects',
    cells: {
      stack: {
        ...at(AUTHORED, yes('crd-refused', 1)),
        ...{lock: no('tree judges'), check: no('tree is kept'), bundle: no('tree judges')},
        ...at(['render', '--git', ...CHANGES], yes('crd-items-missing', 1)),
        manager: UNTESTED,
      },
      xpkg: {
        ...at(AUTHORED, yes('crd-refused', 1)),
        ...at([...OFFLINE, 'install', 'upgrade'], no('Crossplane installs')),
        ...xpkgs(),
      },
    },
  },
  'crd-dropped': release('A release drops a CRD', 'crd-dropped', {
    inFolder: 'crd-deleted',
    stack: {...at(CHANGES, yes('instances-exist', 5)), manager: LOST_IN_MANAGER},
    xpkg: {upgrade: LOSSES},
  }),
  'crd-version-removed': release('A release drops a version of a CRD', 'crd-version-removed', {
    inFolder: 'crd-version-removed',
    stack: at(CHANGES, yes('crd-version-unserved', 0)),
    xpkg: {upgrade: LOSSES},
  }),
  'crd-scope-changed': release('A release changes the scope of a CRD', 'crd-scope-changed', {
    inFolder: 'crd-scope-changed',
    stack: at(CHANGES, yes('crd-scope-changed', 5)),
  }),
  'function-lost': {
    ...FUNCTION_LOST,
    cells: {...FUNCTION_LOST.cells, stack: at(ALL, no('not in the format'))},
  },
  'shared-object': resolution(
    'Two packages of a set define one CRD',
    {stack: 'ownership-conflict', xpkg: 'xpkg-shared-object'},
    {
      stack: at(CHANGES, yes('ownership-conflict', 3)),
      xpkg: {install: LOSSES},
    },
  ),
  unsatisfied: resolution(
    'A requirement that no package satisfies',
    {stack: 'missing-crd', xpkg: 'unresolvable'},
    {
      stack: {
        ...at(CHANGES, yes('missing-crd', 3)),
        manager: manager('names the CRD that it waits for'),
      },
    },
  ),
  'changed-content': everyRead('Other content under a locked tag', 'locked-digest', {
    upgrade: no('asked for'),
  }),
  unreadable: {
    title: 'The newest version of a package cannot be read',
    cells: {
      stack: {
        ...at(AUTHORED, yes('yaml-syntax', 1)),
        ...at(['lock', 'render', '--git', ...CHANGES], yes('unreadable-package', 0)),
        ...at(['check', 'bundle'], no('lock judges')),
        manager: UNTESTED,
      },
      xpkg: {
        ...at(AUTHORED, yes('yaml-syntax', 1)),
        ...at(['lock', '--git'], yes('version-passed-over', 0)),
        ...at(['render', 'check', 'bundle'], no('lock judges')),
        ...UNSEEN.xpkg,
      },
    },
  },
  'policy-sources': everyRead(
    'A source that a policy does not allow',
    'policy-source',
    at(CHANGES, yes('policy-source', 4)),
  ),
  'policy-signatures': everyRead(
    'A signature that a policy requires is missing',
    'signature-missing',
    at(CHANGES, yes('signature-missing', 4)),
  ),
  'policy-crd-changes': {
    ...CRD_CHANGES,
    cells: {
      stack: {...CRD_CHANGES.cells.stack, ...at(['render', '--git'], yes('policy-crd-change', 4))},
      xpkg: {...CRD_CHANGES.cells.xpkg, lock: no('not rendered'), '--git': yes('policy-crd-change', 4)},
    },
  },
  'policy-privileged': {
    title: 'Pods with access to the node that a policy rejects',
    cells: {
      stack: {
        ...{...SINGLE, lock: no('not rendered'), bundle: no('not rendered')},
        ...at(['render', 'check', '--git', ...CHANGES], yes('policy-privileged', 4)),
        manager: manager('refuses what uses the node, and what contradicts itself'),
      },
      xpkg: at(ALL, no('not in the format')),
    },
  },
}
