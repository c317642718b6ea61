import type {JsonObject} from 'kubectl-crossplane/plugin'
import {ALLOW_EXTERNAL_NAME} from '../../src/model/names.js'
import {toAnnotation} from '../../src/model/propagation.js'

/** What differs from a recorded story, by a rule in docs/services-differences.md. */
export interface Difference {
  readonly rule: string
  /** Merge patches of snapshots, by name. */
  readonly snapshots?: Readonly<Record<string, JsonObject>>
  /** Parts of Events that do not occur. */
  readonly without?: readonly string[]
  /** Events that occur in addition. */
  readonly events?: readonly string[]
  /** Conditions that steps wait for instead. */
  readonly until?: JsonObject
  /** Annotations of the classes of the story, which allow what the original always does. */
  readonly classes?: JsonObject
  /** Texts that are one: what differs is chance. */
  readonly same?: Readonly<Record<string, string>>
  /** If the second claim won, these texts are exchanged. */
  readonly exchanged?: readonly (readonly [string, string])[]
}

const WAITING = 'False | Managed claim is waiting for managed resource to become bindable'
const ERROR = 'False | Encountered an error during resource reconciliation'
const BINDER = 'fancysqlinstance.favouritedbinstance.fcp.example.org'
const CLASSES = 'FavouriteDBInstanceClass.fcp.example.org and AmbivalentDBInstanceClass.fcp.example.org'

function rejected(message: string): JsonObject {
  return {status: {conditions: {Ready: WAITING, Synced: `${ERROR} | ${message}`}}}
}

/** A claim that no class matches. */
function unmatched(name: string, selector: string): JsonObject {
  const message = `no class matches the selector "${selector}" among the objects of ${CLASSES}`
  return {[`FancySQLInstance/${name}`]: {status: {conditions: {Ready: `${NO_CLASS} | ${message}`}}}}
}

const NO_CLASS = 'False | Waiting for a matching resource class'

function noMatch(name: string, selector: string): string {
  const message = `no class matches the selector "${selector}" among the objects of ${CLASSES}`
  return `Warning NoMatchingClass FancySQLInstance/${name}: ${message} [scheduler.${BINDER}]`
}

/** The secret of a managed resource that allows no propagation. */
function noConsent(...names: readonly string[]): JsonObject {
  return Object.fromEntries(names.map(name => [`Secret/${name}`, {annotations: null}]))
}

const BOUND_ELSEWHERE = 'refusing to bind to managed resource that is bound to bound-elsewhere/db'
const EXISTS =
  'external resource "external-exists-one" already exists; the annotation crossplane.io/external-name adopts it'
const NO_DEFAULT = `no default class (annotation resourceclass.crossplane.io/is-default-class: "true") among the objects of ${CLASSES}`

/** The annotations of a secret that two claims wanted. */
const RACE_KEYS = [raceKey('one'), raceKey('two')] as const

function raceKey(name: string): string {
  return Object.keys(toAnnotation({namespace: 'race-claims', name}))[0] ?? ''
}

/** The differences, by story. */
export const RULES: Readonly<Record<string, Difference>> = {
  'bound-elsewhere': {
    rule: 'bound to another claim; deletion of a claim without its managed resource',
    snapshots: {
      end: {objects: {'FancySQLInstance/two': rejected(BOUND_ELSEWHERE)}},
      deleting: {objects: {'FancySQLInstance/two': null}},
    },
    events: [`Warning CannotBindManagedResource FancySQLInstance/two: ${BOUND_ELSEWHERE} [${BINDER}]`],
  },
  'class-missing': {
    rule: 'deletion of a claim without its managed resource',
    snapshots: {deleting: {objects: {'FancySQLInstance/db': null}}},
  },
  'create-fails': {
    rule: 'messages of Events are no formats',
    without: ['100%!w(MISSING)rong'],
    events: [
      'Warning CannotCreateExternalResource FavouriteDBInstance/create-fails-db-xxxxx: boom: 100% wrong [favouritedbinstance.fcp.example.org]',
    ],
  },
  'default-kinds': {
    rule: 'several default classes',
    without: ['DefaultResourceClass'],
    same: {Ambivalent: 'Favourite', ambivalent: 'favourite', 'default-kinds-b': 'default-kinds-a'},
    events: [
      `Normal DefaultResourceClass FancySQLInstance/db: Selected default resource class, the first by name of several: FavouriteDBInstanceClass.fcp.example.org "default-kinds-a" and FavouriteDBInstanceClass.fcp.example.org "default-kinds-a" [defaulter.${BINDER}]`,
    ],
  },
  'default-two': {
    rule: 'several default classes',
    without: ['DefaultResourceClass'],
    same: {'default-two-b': 'default-two-a'},
    events: ['one', 'two', 'three', 'four'].map(
      name =>
        `Normal DefaultResourceClass FancySQLInstance/${name}: Selected default resource class, the first by name of several: FavouriteDBInstanceClass.fcp.example.org "default-two-a" and FavouriteDBInstanceClass.fcp.example.org "default-two-a" [defaulter.${BINDER}]`,
    ),
  },
  'delete-fails': {
    rule: 'release',
    snapshots: {failing: {objects: noConsent('sys-delete-fails/uid(FancySQLInstance/db)')}},
  },
  'external-name': {
    rule: '`crossplane.io/external-name` on a claim',
    classes: {[ALLOW_EXTERNAL_NAME]: 'true'},
  },
  'external-exists': {
    rule: 'external resource of that name exists',
    until: {'FavouriteDBInstance/external-exists-one': 'status.conditions.Synced.status=False'},
    snapshots: {
      end: {
        objects: {
          'FavouriteDBInstance/external-exists-one': {
            annotations: null,
            finalizers: null,
            status: {
              bindingPhase: null,
              state: null,
              conditions: {Ready: null, Synced: `${ERROR} | create failed: ${EXISTS}`},
            },
          },
          'Secret/sys-external-exists/external-exists-one': null,
        },
      },
    },
    events: [
      `Warning CannotCreateExternalResource FavouriteDBInstance/external-exists-one: ${EXISTS} [favouritedbinstance.fcp.example.org]`,
    ],
  },
  'race-claims': {
    rule: 'bound to another claim; check, bind, then secret',
    exchanged: [['/one', '/two'], ['{"name":"one"}', '{"name":"two"}'], RACE_KEYS],
    snapshots: {
      end: {
        objects: {
          'FancySQLInstance/two': rejected(
            'refusing to bind to managed resource that is bound to race-claims/one',
          ),
          'Secret/two': null,
          'Secret/sys-race-claims/race-claims-one': {annotations: {[RACE_KEYS[1]]: null}},
        },
      },
    },
    without: ['/two:'],
    events: [
      `Warning CannotBindManagedResource FancySQLInstance/two: refusing to bind to managed resource that is bound to race-claims/one [${BINDER}]`,
    ],
  },
  'released-leak': {
    rule: 'release; no class',
    snapshots: {
      released: {objects: noConsent('sys-released-leak/uid(FancySQLInstance/db)')},
      end: {
        objects: {
          ...noConsent('sys-released-leak/uid(FancySQLInstance/db)'),
          ...unmatched('two', 'no=match'),
          'Secret/db': {data: {endpoint: null, password: null, username: null}},
        },
      },
    },
    events: [noMatch('two', 'no=match')],
  },
  retain: {
    rule: 'release',
    snapshots: Object.fromEntries(
      ['released', 'again'].map(name => [name, {objects: noConsent('sys-retain/uid(FancySQLInstance/db)')}]),
    ),
  },
  'secret-managed-foreign': {
    rule: 'external name',
    snapshots: {end: {objects: {'FavouriteDBInstance/secret-managed-foreign-one': {annotations: null}}}},
  },
  'secret-renamed': {
    rule: 'renamed or deleted secret of a claim',
    snapshots: {
      end: {
        objects: {
          'Secret/other': {
            annotations: {
              'from.propagate.crossplane.io/name': 'uid(FancySQLInstance/db)',
              'from.propagate.crossplane.io/namespace': 'sys-secret-renamed',
            },
            ownerReferences: ['FancySQLInstance/db controller'],
            type: 'connection.crossplane.io/v1alpha1',
            data: {
              endpoint: 'secret-renamed-db-xxxxx.example.org',
              password: 'created',
              username: 'root',
            },
          },
          'Secret/sys-secret-renamed/uid(FancySQLInstance/db)': {
            annotations: toAnnotation({namespace: 'secret-renamed', name: 'other'}),
          },
        },
      },
    },
  },
  'selector-expressions': {
    rule: 'selectors',
    until: {'FancySQLInstance/db': 'status.conditions.Ready.status=False'},
    snapshots: {
      end: {
        calls: [],
        external: {'selector-expressions-db-xxxxx': null},
        objects: {
          'FavouriteDBInstance/selector-expressions-db-xxxxx': null,
          'Secret/db': null,
          'Secret/sys-selector-expressions/uid(FancySQLInstance/db)': null,
          'FancySQLInstance/db': {
            annotations: null,
            finalizers: null,
            spec: {classRef: null, resourceRef: null},
            status: {
              bindingPhase: null,
              conditions: {
                Synced: null,
                Ready: `${NO_CLASS} | no class matches the selector "tier in (gold)" among the objects of ${CLASSES}`,
              },
            },
          },
        },
      },
    },
    without: ['Normal'],
    events: [noMatch('db', 'tier in (gold)')],
  },
  'secret-edited': {
    rule: 'keys that someone added to the secret of a claim',
    events: [
      'Warning KeysRemoved Secret/db: removed "more": the secret of the managed resource has no such keys [connectionsecret.*]',
    ],
  },
  'selector-none': {
    rule: 'no class',
    snapshots: {none: {objects: unmatched('db', 'story=selector-none')}},
    events: [noMatch('db', 'story=selector-none')],
  },
  'selector-not-default': {
    rule: 'no class',
    snapshots: {end: {objects: unmatched('db', 'story=selector-not-default')}},
    events: [noMatch('db', 'story=selector-not-default')],
  },
  'selector-removed': {
    rule: 'selector removed',
    snapshots: {
      end: {
        objects: {
          'FancySQLInstance/db': {
            spec: {writeConnectionSecretToRef: {name: 'db'}},
            status: {conditions: {Ready: `${NO_CLASS} | ${NO_DEFAULT}`}},
          },
        },
      },
    },
    events: [
      noMatch('db', 'story=selector-removed'),
      `Warning NoMatchingClass FancySQLInstance/db: ${NO_DEFAULT} [defaulter.${BINDER}]`,
    ],
  },
  'selector-two': {rule: 'chance', same: {'selector-two-b': 'selector-two-a'}},
  'static-controlled': {
    rule: 'check, bind, then secret',
    snapshots: {
      end: {objects: {'Secret/db': null, ...noConsent('sys-static-controlled/static-controlled-one')}},
    },
    without: ['PropagatedData'],
  },
  'static-not-ready-deleted': {
    rule: 'deletion of a claim without its managed resource',
    snapshots: {deleting: {objects: {'FancySQLInstance/db': null}}},
  },
  'static-other-claim': {
    rule: 'check, bind, then secret',
    snapshots: {
      end: {objects: {'Secret/db': null, ...noConsent('sys-static-other-claim/static-other-claim-one')}},
    },
    without: ['PropagatedData'],
    events: [
      `Warning CannotBindManagedResource FancySQLInstance/db: refusing to bind to managed resource that does not reference resource claim [${BINDER}]`,
    ],
  },
  unavailable: {
    rule: 'readiness of claims',
    snapshots: {
      end: {
        objects: {
          'FancySQLInstance/db': {
            status: {conditions: {Ready: 'False | Resource is not available for use'}},
          },
        },
      },
    },
  },
}
