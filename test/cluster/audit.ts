import {randomUUID} from 'node:crypto'
import {closeSync, fstatSync, openSync, readSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {asObject, asText} from '../../src/yaml/json-value.js'
import type {JsonObject} from '../../src/yaml/json-value.js'
import type {TestCluster} from './api-server.js'
import {until} from './kube.js'

/** A request that the API server completed. Texts are empty where they do not apply, as for `/version`. */
export interface AuditEntry {
  /** As RBAC names it: `get`, `list`, `create`, `patch`, … */
  readonly verb: string
  readonly group: string
  readonly resource: string
  readonly subresource: string
  readonly namespace: string
  /** Empty for a list, and for a creation, which names the object only in its body. */
  readonly name: string
  readonly user: string
  readonly userAgent: string
  readonly code: number
  /** Path and query. */
  readonly uri: string
}

/** The audit log of a cluster. */
export interface Audit {
  /** A position after all requests that were completed before this call. */
  mark(): Promise<number>
  /** The requests completed after a mark, in their order. */
  since(mark: number): Promise<readonly AuditEntry[]>
}

export function auditOf({folder, kube}: Pick<TestCluster, 'folder' | 'kube'>): Audit {
  const path = logPath(folder)
  /** The server logs a request a moment after the response: what precedes this one is there when it is. */
  const settle = async () => {
    const marker = `/version?marker=${randomUUID()}`
    const start = sizeOf(path)
    await kube.send('GET', marker)
    await until(
      () => Promise.resolve(readFrom(path, start)),
      text => text.slice(0, text.lastIndexOf('\n')).includes(marker),
    )
  }
  return {
    async mark() {
      await settle()
      return sizeOf(path)
    },
    async since(mark) {
      await settle()
      const lines = readFrom(path, mark).split('\n').filter(Boolean)
      return lines.map(line => entryOf(JSON.parse(line) as JsonObject)).filter(({uri}) => !isMarker(uri))
    },
  }
}

const CHANGES: readonly string[] = ['create', 'update', 'patch', 'delete', 'deletecollection']

/** Whether a request changed something: no dry run, no question about permissions, and successful. */
export function isWrite({verb, resource, uri, code}: AuditEntry): boolean {
  const isQuestion =
    resource.startsWith('selfsubject') || resource.endsWith('accessreviews') || uri.includes('dryRun=All')
  return CHANGES.includes(verb) && !isQuestion && code < 400
}

/** Writes the policy, and returns the flags of an API server that keeps the log. */
export function auditFlags(folder: string): readonly string[] {
  const policy = join(folder, 'audit-policy.json')
  writeFileSync(policy, JSON.stringify(POLICY))
  return [`--audit-policy-file=${policy}`, `--audit-log-path=${logPath(folder)}`, '--audit-log-maxsize=10000']
}

/** Each request once, when it is completed. */
const POLICY = {
  apiVersion: 'audit.k8s.io/v1',
  kind: 'Policy',
  omitStages: ['RequestReceived', 'ResponseStarted'],
  rules: [{level: 'Metadata'}],
}

function logPath(folder: string): string {
  return join(folder, 'audit.log')
}

function isMarker(uri: string): boolean {
  return uri.startsWith('/version?marker=')
}

function sizeOf(path: string): number {
  const file = openSync(path, 'r')
  const {size} = fstatSync(file)
  closeSync(file)
  return size
}

function readFrom(path: string, start: number): string {
  const file = openSync(path, 'r')
  const bytes = Buffer.alloc(fstatSync(file).size - start)
  const length = readSync(file, bytes, 0, bytes.length, start)
  closeSync(file)
  return bytes.toString('utf8', 0, length)
}

function entryOf(event: JsonObject): AuditEntry {
  const target = asObject(event.objectRef)
  return {
    verb: asText(event.verb),
    group: asText(target.apiGroup),
    resource: asText(target.resource),
    subresource: asText(target.subresource),
    namespace: asText(target.namespace),
    name: asText(target.name),
    user: asText(asObject(event.user).username),
    userAgent: asText(event.userAgent),
    code: Number(asObject(event.responseStatus).code ?? 0),
    uri: asText(event.requestURI),
  }
}
