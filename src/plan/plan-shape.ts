import {API_VERSION} from '../api-version.js'
import {PHASES} from '../render/install-set.js'
import {ACTIONS} from './plan.js'
import {BOOLEAN, COUNT, listOf, objectOf, oneOf, SHA256, shape, type Shape, TEXT, TEXTS} from './shape.js'
import {isJsonArray, isJsonObject} from '../yaml/json-value.js'

const OBJECT_NAME = objectOf({apiVersion: TEXT, kind: TEXT, name: TEXT}, {namespace: TEXT})

const RISK = objectOf(
  {severity: oneOf(['warning']), rule: TEXT, message: TEXT},
  {
    file: TEXT,
    line: COUNT,
    field: TEXT,
    subject: objectOf(
      {},
      {
        package: TEXT,
        tag: TEXT,
        requirement: TEXT,
        requiredBy: TEXT,
        candidates: TEXTS,
        object: TEXT,
      },
    ),
    suggestions: TEXTS,
  },
)

const PRECONDITION: Shape = (value, field) => {
  if (!isJsonObject(value)) return [{field, message: 'the value is not an object'}]
  if (Object.hasOwn(value, 'absent')) {
    return objectOf({absent: shape('true', flag => flag === true)}, {uid: TEXT})(value, field)
  }
  if (Object.hasOwn(value, 'revision')) return objectOf({revision: TEXT, locked: BOOLEAN})(value, field)
  return Object.hasOwn(value, 'uid')
    ? objectOf({uid: TEXT}, {sha256: SHA256})(value, field)
    : objectOf({sha256: SHA256})(value, field)
}

const OPERATION = objectOf(
  {action: oneOf(ACTIONS), target: TEXT, reason: TEXT},
  {
    path: TEXT,
    object: OBJECT_NAME,
    phase: oneOf(PHASES),
    manager: TEXT,
    force: BOOLEAN,
    labels: TEXTS,
    finalizers: TEXTS,
    risks: listOf(RISK),
    precondition: PRECONDITION,
    content: TEXT,
  },
)

const ORIGIN = objectOf({command: TEXT, arguments: TEXTS, context: TEXT, server: TEXT, toolVersion: TEXT})

const INSTANCE = objectOf(
  {name: TEXT},
  {namespace: TEXT, reclaimPolicy: TEXT, deletionPolicy: TEXT, finalizers: TEXTS},
)

const IMPACT = objectOf({
  crds: listOf(objectOf({crd: TEXT, instances: COUNT, first: listOf(INSTANCE), users: TEXTS})),
  dependents: listOf(objectOf({install: TEXT, crds: TEXTS, of: TEXT})),
})

/** Checks a whole saved plan, whose operations have to be of an action and a target that exist. */
export const PLAN: Shape = objectOf(
  {
    apiVersion: oneOf([API_VERSION]),
    kind: oneOf(['Plan']),
    operations: listOf(OPERATION),
    unchanged: COUNT,
    rejections: (value, field) =>
      isJsonArray(value) && value.length === 0
        ? []
        : [{field, message: 'a plan with rejections cannot be executed'}],
  },
  {
    origin: ORIGIN,
    kept: listOf(objectOf({object: OBJECT_NAME, reason: TEXT})),
    impact: IMPACT,
  },
)
