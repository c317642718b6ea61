import type {FIXTURES} from './fixtures.js'
import type {Format, Place} from './worlds.js'

/** Why a check is not made at a place, as the record of decisions says it. */
export const REASONS = {
  'one package':
    'it sees one version of one package: no release before it, no set, no lock and no policy of a user',
  'lock judges': 'the lock was judged when it changed; what it names is used as it is',
  'tree judges': 'rendering a lock file makes the check: `render`, `--git` and the places with a cluster',
  'tree is kept':
    'the file is compared with what is rendered; whether the change was wanted, its review decides',
  'Crossplane installs': 'Crossplane installs the objects: a tree or a bundle has the request for them',
  'not in the format': 'packages of this format do not have what is checked',
  'its own format': 'the package manager serves requests for packages of Crossplane v0.12 only',
  'not rendered': 'the policy judges rendered objects, and this place renders none',
  'locked bytes': 'a package in a registry is read by its locked digest, whatever its tag names now',
  'takes new content': 'an upgrade, or the manager, takes what a tag names now, under all other checks',
  'stays installed':
    'Crossplane never removes a package by itself, not even one that nothing requires any more',
  'Providers move': '`package move` is for Providers of a current Crossplane only',
  'version is named':
    'a move takes the version that the user names, or else that of the former request, and no newer one',
  'lint warns': '`build` and `push` reject what lint rejects; its warnings are shown by lint',
} as const
export type Reason = keyof typeof REASONS

/** The record of decisions that explains the reasons, in docs/decisions. */
export const RECORD = '0102-where-checks-are-made.md'

/** How a place makes a check: by a rule in its output and an exit status, by a condition or an Event of a request, or not. */
export type Cell =
  | {readonly rule: string; readonly status: number}
  | {readonly reason: string; readonly says: string}
  | {readonly no: Reason}

type Cells = Readonly<Record<Place, Cell>>

/** A check, and where it is made. */
export interface Check {
  readonly title: string
  readonly cells: Readonly<Record<Format, Cells>>
}

const yes = (rule: string, status: number): Cell => ({rule, status})
const no = (reason: Reason): Cell => ({no: reason})

/** What the manager says in a condition or in an Event of a request. */
const manager = (reason: string, says: string) => ({manager: {reason, says}})

const AUTHORED = ['lint', 'build', 'push'] as const
const OFFLINE = ['lock', 'render', 'check', '--git', 'bundle'] as const
const CHANGES = ['install', 'upgrade'] as const
const WITH_CLUSTER = ['--git --context', ...CHANGES] as const
const ALL = [...AUTHORED, ...OFFLINE, ...WITH_CLUSTER, 'move', 'manager'] as const

const NO_MOVE = {move: no('Providers move')}
/** What sees one package; packages of v0.12 do not move. */
const SINGLE = {...at(AUTHORED, no('one package')), ...NO_MOVE}
/** Current packages have no such check in a manager. */
const XPKG = {manager: no('its own format')}
const NO_STACKS = at(ALL, no('not in the format'))

/** A check that compares a release with the one before. */
function release(title: string, rule: string, {inFolder, stack, xpkg}: Release): Check {
  const kept = {check: no('tree is kept'), bundle: no('lock judges')}
  return {
    title,
    cells: {
      stack: {
        ...{...SINGLE, ...kept, lock: yes(rule, 0), render: yes(inFolder, 0)},
        ...{'--git': yes(rule, 5), ...stack},
      },
      xpkg: {
        ...{...SINGLE, ...kept, lock: yes(rule, 0), render: yes(rule, 0)},
        ...{'--git': yes(rule, 5), ...XPKG, ...xpkg},
      },
    },
  }
}

interface Release {
  /** The rule where a folder is rendered over the former one. */
  readonly inFolder: string
  /** Among others, with a cluster. */
  readonly stack: Partial<Cells> & InCluster & Pick<Cells, 'manager'>
  readonly xpkg: Partial<Cells> & InCluster
}

type InCluster = Pick<Cells, (typeof WITH_CLUSTER)[number]> & Partial<Pick<Cells, 'move'>>

const RESOLUTION = ['lock', 'render', '--git', 'bundle', ...WITH_CLUSTER] as const

/** A check that resolution makes, which no lock passes. */
function resolution(
  title: string,
  rules: Readonly<Record<Format, string>>,
  stack: Partial<Cells> & Pick<Cells, 'manager'>,
): Check {
  const common = {...SINGLE, check: no('lock judges')}
  return {
    title,
    cells: {
      stack: {...common, ...at(RESOLUTION, yes(rules.stack, 3)), ...stack},
      xpkg: {...common, ...at([...RESOLUTION, 'move'], yes(rules.xpkg, 3)), ...XPKG},
    },
  }
}

/** A check that each command which reads packages makes in the same way. */
function everyRead(
  title: string,
  rule: string,
  {
    both,
    stack,
    xpkg,
  }: Partial<Record<'both' | 'xpkg', Partial<Cells>>> & {
    readonly stack: Partial<Cells> & Pick<Cells, 'manager'>
  },
): Check {
  const common = {...SINGLE, ...at([...OFFLINE, ...WITH_CLUSTER], yes(rule, 4)), ...both}
  return {
    title,
    cells: {stack: {...common, ...stack}, xpkg: {...common, move: yes(rule, 4), ...XPKG, ...xpkg}},
  }
}

function at<P extends Place>(places: readonly P[], cell: Cell): Readonly<Record<P, Cell>> {
  return Object.fromEntries(places.map(place => [place, cell])) as Record<P, Cell>
}

/** A check of something that a set of current packages still uses and loses. */
function loss(title: string, rule: string, status: number, inCluster: InCluster): Check {
  const {cells} = release(title, rule, {inFolder: '', stack: NO_STACKS, xpkg: inCluster})
  return {title, cells: {stack: NO_STACKS, xpkg: {...cells.xpkg, '--git': yes(rule, status)}}}
}

const CRD_CHANGES = release('A change of a CRD that a policy rejects', 'policy-crd-change', {
  inFolder: '',
  stack: {...at(WITH_CLUSTER, yes('policy-crd-change', 4)), ...manager('UpgradeRefused', ': dropped')},
  xpkg: at([...WITH_CLUSTER, 'move'], yes('policy-crd-change', 4)),
})

/** A check of what an index yanks; with another version, or the same one, everything goes on. An upgrade needs another one. */
function yanked(title: string, says: string, more?: Readonly<Record<Format, Partial<Cells>>>): Check {
  const read = at([...RESOLUTION], yes('yanked-version', 0))
  const common = {...SINGLE, ...read, check: no('lock judges')}
  return {
    title,
    cells: {
      stack: {...common, ...manager('PackageWarning', says), ...more?.stack},
      xpkg: {...common, move: no('version is named'), ...XPKG, ...more?.xpkg},
    },
  }
}

/** All checks, by the names of their fixtures. */
export const CHECKS: Readonly<Record<keyof typeof FIXTURES, Check>> = {
  'crd-refused': {
    title: 'A CRD that a current API server rejects',
    cells: {
      stack: {
        ...at(AUTHORED, yes('crd-refused', 1)),
        ...{lock: no('tree judges'), check: no('tree is kept'), bundle: no('tree judges')},
        ...at(['render', '--git', ...WITH_CLUSTER], yes('crd-items-missing', 1)),
        ...NO_MOVE,
        ...manager('InvalidPackage', 'a list must have a schema for its items'),
      },
      xpkg: {
        ...at(AUTHORED, yes('crd-refused', 1)),
        ...at([...OFFLINE, ...WITH_CLUSTER, 'move'], no('Crossplane installs')),
        ...XPKG,
      },
    },
  },
  'crd-dropped': release('A release drops a CRD', 'crd-dropped', {
    inFolder: 'crd-deleted',
    stack: {
      ...at(WITH_CLUSTER, yes('instances-exist', 5)),
      ...manager('UpgradeRefused', 'would lose its controller'),
    },
    xpkg: at([...WITH_CLUSTER, 'move'], yes('instances-exist', 5)),
  }),
  'crd-version-removed': release('A release drops a version of a CRD', 'crd-version-removed', {
    inFolder: 'crd-version-removed',
    stack: {
      ...at(WITH_CLUSTER, yes('crd-version-unserved', 0)),
      ...manager('PackageWarning', 'clients that use version v1beta1'),
    },
    xpkg: at([...WITH_CLUSTER, 'move'], yes('crd-version-unserved', 0)),
  }),
  'crd-scope-changed': release('A release changes the scope of a CRD', 'crd-scope-changed', {
    inFolder: 'crd-scope-changed',
    stack: {
      ...at(WITH_CLUSTER, yes('crd-scope-changed', 5)),
      ...manager('UpgradeRefused', 'the scope changes'),
    },
    xpkg: at([...WITH_CLUSTER, 'move'], yes('crd-scope-changed', 5)),
  }),
  'function-lost': loss(
    'A function that a Composition of the set still calls leaves it',
    'xpkg-function-lost',
    5,
    {'--git --context': yes('xpkg-function-lost', 5), ...at(CHANGES, no('stays installed'))},
  ),
  'function-missing': {
    title: 'A Composition calls a function by a name that no Function has',
    cells: {
      stack: NO_STACKS,
      xpkg: {
        ...{lint: yes('xpkg-composition-function', 0), ...at(['build', 'push'], no('lint warns'))},
        ...at(['lock', 'render', '--git', ...WITH_CLUSTER], yes('xpkg-function-missing', 0)),
        ...at(['check', 'bundle'], no('lock judges')),
        ...NO_MOVE,
        ...XPKG,
      },
    },
  },
  'capability-lost': loss(
    'A function that a Composition of the set calls loses the capability',
    'xpkg-capability-lost',
    5,
    at(WITH_CLUSTER, yes('xpkg-capability-lost', 5)),
  ),
  'kind-lost': loss(
    'A kind and version that a Composition composes is no longer served',
    'xpkg-kind-lost',
    5,
    {...at(WITH_CLUSTER, yes('xpkg-kind-lost', 5)), move: yes('xpkg-kind-lost', 5)},
  ),
  'activation-lost': loss(
    'A release drops a policy that activates kinds',
    'xpkg-policy-lost',
    0,
    at(WITH_CLUSTER, yes('xpkg-policy-lost', 0)),
  ),
  'shared-object': resolution(
    'Two packages of a set define one CRD',
    {stack: 'ownership-conflict', xpkg: 'xpkg-shared-object'},
    manager('WaitingForDependency', 'a CRD can have only one owner'),
  ),
  unsatisfied: resolution(
    'A requirement that no package satisfies',
    {stack: 'missing-crd', xpkg: 'unresolvable'},
    manager('WaitingForDependency', 'no package provides it'),
  ),
  'changed-content': everyRead('Other content under a locked tag, in a folder', 'locked-digest', {
    both: {upgrade: no('takes new content')},
    stack: {manager: no('takes new content')},
    xpkg: {...at(['--git --context', 'install'], no('locked bytes')), move: no('takes new content')},
  }),
  unreadable: {
    title: 'The newest version of a package cannot be read',
    cells: {
      stack: {
        ...at(AUTHORED, yes('yaml-syntax', 1)),
        ...at(['lock', 'render', '--git', ...WITH_CLUSTER], yes('unreadable-package', 0)),
        ...at(['check', 'bundle'], no('lock judges')),
        ...NO_MOVE,
        ...manager('PackageWarning', 'was not considered'),
      },
      xpkg: {
        ...at(AUTHORED, yes('yaml-syntax', 1)),
        ...at(['lock', '--git', ...WITH_CLUSTER], yes('version-passed-over', 0)),
        ...{...at(['render', 'check', 'bundle'], no('lock judges')), move: no('version is named')},
        ...XPKG,
      },
    },
  },
  yanked: yanked('The newest version of a package was yanked', 'it was yanked'),
  'locked-yanked': yanked('The locked or installed version of a package was yanked', 'but was yanked', {
    stack: {upgrade: yes('yanked-version', 3)},
    xpkg: {upgrade: yes('unresolvable', 3), move: yes('yanked-version', 0)},
  }),
  'policy-sources': everyRead('A source that a policy does not allow', 'policy-source', {
    stack: manager('PolicyRefused', 'does not allow its source'),
  }),
  'policy-signatures': everyRead('A signature that a policy requires is missing', 'signature-missing', {
    stack: manager('PolicyRefused', 'has no signature of a trusted signer'),
  }),
  'policy-crd-changes': {
    ...CRD_CHANGES,
    cells: {
      stack: {...CRD_CHANGES.cells.stack, ...at(['lock', 'render', '--git'], yes('policy-crd-change', 4))},
      xpkg: {...CRD_CHANGES.cells.xpkg, ...at(['lock', 'render', '--git'], yes('policy-crd-change', 4))},
    },
  },
  'policy-privileged': {
    title: 'Pods with access to the node that a policy rejects',
    cells: {
      stack: {
        ...{...SINGLE, lock: no('not rendered'), bundle: no('not rendered')},
        ...at(['render', 'check', '--git', ...WITH_CLUSTER], yes('policy-privileged', 4)),
        ...manager('PolicyRefused', 'hostPID'),
      },
      xpkg: NO_STACKS,
    },
  },
}
