import {mapConcurrent} from '../../map-concurrent.js'
import {escaped} from '../../text.js'
import {asObject, asText} from '../../yaml/json-value.js'
import {failureOf} from './cluster-failure.js'
import type {Sender} from './sender.js'

/** An action that the user may have permission for. */
export interface AccessReview {
  readonly verb: string
  readonly group: string
  /** In plural, as RBAC names it. */
  readonly resource: string
  readonly subresource?: string
  /** None for all namespaces, or for a resource without. */
  readonly namespace?: string
  readonly name?: string
}

/** A service account by its namespace and name. */
export interface ServiceAccountName {
  readonly namespace: string
  readonly name: string
}

export interface AccessAnswer {
  readonly allowed: boolean
  /** The server's reason; untrusted text, often empty. */
  readonly reason: string
}

const CONCURRENT = 8

/** Reviews the permissions of the user; returns the reviews in their order. */
export async function reviewAccess(
  sender: Sender,
  reviews: readonly AccessReview[],
): Promise<readonly AccessAnswer[]> {
  const answers: AccessAnswer[] = []
  await mapConcurrent([...reviews.entries()], CONCURRENT, async ([index, review]) => {
    answers[index] = await reviewOne(sender, review)
  })
  return answers
}

/** Reports whether a service account has a permission. Throws the errors of the API. */
export async function reviewAccount(
  sender: Sender,
  {namespace, name}: ServiceAccountName,
  review: AccessReview,
): Promise<boolean> {
  const [apiVersion, kind] = ['authorization.k8s.io/v1', 'SubjectAccessReview']
  const groups = ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, 'system:authenticated']
  const user = `system:serviceaccount:${namespace}:${name}`
  const {body} = await sender.send({
    method: 'POST',
    path: 'apis/authorization.k8s.io/v1/subjectaccessreviews',
    body: {apiVersion, kind, spec: {user, groups, resourceAttributes: {...review}}},
    aim: escaped(`check the permissions of service account ${namespace}/${name}`),
    verb: 'create',
    resource: 'subjectaccessreviews.authorization.k8s.io',
  })
  return asObject(asObject(body).status).allowed === true
}

async function reviewOne(sender: Sender, review: AccessReview): Promise<AccessAnswer> {
  const [apiVersion, kind] = ['authorization.k8s.io/v1', 'SelfSubjectAccessReview']
  const {body} = await sender.send({
    method: 'POST',
    path: 'apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
    body: {apiVersion, kind, spec: {resourceAttributes: {...review}}},
    aim: 'check permissions',
    verb: 'create',
    resource: 'selfsubjectaccessreviews.authorization.k8s.io',
  })
  const {allowed, reason} = asObject(asObject(body).status)
  return {allowed: allowed === true, reason: asText(reason)}
}

/** Returns the name of the user on the server; undefined if the server does not report it. */
export async function readUser(sender: Sender): Promise<string | undefined> {
  const [apiVersion, kind] = ['authentication.k8s.io/v1', 'SelfSubjectReview']
  try {
    const {body} = await sender.send({
      method: 'POST',
      path: 'apis/authentication.k8s.io/v1/selfsubjectreviews',
      body: {apiVersion, kind},
      aim: 'read the name of the user',
      verb: 'get',
      resource: 'selfsubjectreviews.authentication.k8s.io',
    })
    return asText(asObject(asObject(asObject(body).status).userInfo).username) || undefined
  } catch (error) {
    if ([403, 404].includes(failureOf(error)?.status ?? 0)) return undefined
    throw error
  }
}
