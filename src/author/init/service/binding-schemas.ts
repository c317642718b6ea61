import type {JsonObject} from '../../../yaml/json-value.js'

const text = (description: string): JsonObject => ({type: 'string', description})
const object = (
  description: string,
  properties: JsonObject,
  required: readonly string[] = [],
): JsonObject => ({
  type: 'object',
  description,
  properties,
  ...(required.length === 0 ? {} : {required}),
})

/** A reference to an object, as Kubernetes has it. */
function reference(description: string): JsonObject {
  return object(description, {
    apiVersion: text('The API version of the object.'),
    fieldPath: text('A part of the object.'),
    kind: text('The kind of the object.'),
    name: text('The name of the object.'),
    namespace: text('The namespace of the object.'),
    resourceVersion: text('The version of the object.'),
    uid: text('The UID of the object.'),
  })
}

const NAME = text('The name of the Secret.')

/** The fields of every managed resource. */
export const MANAGED_FIELDS: JsonObject = {
  providerRef: reference('The Provider whose credentials are used.'),
  writeConnectionSecretToRef: object(
    'The Secret to which connection details are written.',
    {name: NAME, namespace: text('The namespace of the Secret.')},
    ['name', 'namespace'],
  ),
  claimRef: reference('The claim that is bound to this resource.'),
  classRef: reference('The class of which this resource was created.'),
  reclaimPolicy: {
    type: 'string',
    enum: ['Retain', 'Delete'],
    description: 'What happens to the external resource when this object is deleted.',
  },
}

/** The fields of the template of every class. */
export const CLASS_FIELDS: JsonObject = {
  providerRef: reference('The Provider of the resources of this class.'),
  writeConnectionSecretsToNamespace: text('The namespace of the Secrets with connection details.'),
  reclaimPolicy: {
    type: 'string',
    enum: ['Retain', 'Delete'],
    description: 'What happens to external resources when their claims are deleted.',
  },
}

/** The fields of every claim. */
export const CLAIM_FIELDS: JsonObject = {
  classSelector: object('Selects a class by its labels.', {
    matchLabels: {
      type: 'object',
      description: 'Labels with these values.',
      additionalProperties: {type: 'string'},
    },
    matchExpressions: {
      type: 'array',
      description: 'Requirements on labels, which must all be satisfied.',
      items: object(
        'A requirement on a label.',
        {
          key: text('The label.'),
          operator: text('In, NotIn, Exists or DoesNotExist.'),
          values: {type: 'array', description: 'The values of In and NotIn.', items: {type: 'string'}},
        },
        ['key', 'operator'],
      ),
    },
  }),
  classRef: reference('The class of the managed resource.'),
  resourceRef: reference('The managed resource that this claim is bound to.'),
  writeConnectionSecretToRef: object(
    'The Secret, in the namespace of the claim, to which connection details are written.',
    {name: NAME},
    ['name'],
  ),
}

/** The credentials of every provider. */
export const CREDENTIALS: JsonObject = object(
  'The key of a Secret that holds the credentials.',
  {namespace: text('The namespace of the Secret.'), name: NAME, key: text('The key of the Secret.')},
  ['namespace', 'name', 'key'],
)

/** The fields of the status of managed resources and claims. */
export const BINDING_STATUS: JsonObject = {
  bindingPhase: {
    type: 'string',
    enum: ['Unbindable', 'Unbound', 'Bound', 'Released'],
    description: 'Whether a claim and a managed resource are bound to each other.',
  },
  conditions: {
    type: 'array',
    description: 'Conditions of the object, such as Ready and Synced.',
    items: object(
      'A condition.',
      {
        type: text('The type of the condition.'),
        status: text('True, False or Unknown.'),
        reason: text('Why the condition has this status.'),
        message: text('Details about the reason.'),
        lastTransitionTime: {
          type: 'string',
          format: 'date-time',
          description: 'When the status changed last.',
        },
      },
      ['type', 'status', 'lastTransitionTime', 'reason'],
    ),
  },
}
