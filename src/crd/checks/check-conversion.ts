import {asObject, asText, asTexts, isJsonObject, type JsonObject} from '../../yaml/json-value.js'
import {isDns1035Label, isDnsSubdomain} from '../../reference/kubernetes-names.js'
import {child, item, type Report, type Spot} from '../schema-diagnostic.js'

const CONVERSION: Spot = {path: 'spec.conversion', place: ['spec', 'conversion']}
/** The server prints its internal names for the fields that v1 has in `webhook`. */
const WEBHOOK: Spot = {path: CONVERSION.path, place: [...CONVERSION.place, 'webhook']}
const CLIENT = child(WEBHOOK, 'webhookClientConfig', 'clientConfig')
const REVIEWS = child(WEBHOOK, 'conversionReviewVersions')
/** The ConversionReviews that a server can send. */
const REVIEW_VERSIONS = ['v1', 'v1beta1']

/** Reports errors in `spec.conversion`. */
export function checkConversion(spec: JsonObject, report: Report): void {
  if (!isJsonObject(spec.conversion)) return
  const {strategy, webhook} = spec.conversion
  const {clientConfig, conversionReviewVersions} = asObject(webhook)
  const reviews = asTexts(conversionReviewVersions)
  if (strategy !== 'None' && strategy !== 'Webhook') {
    report('conversion', child(CONVERSION, 'strategy'), 'the strategy must be None or Webhook')
  }
  if (strategy === 'Webhook') {
    checkClient(clientConfig, report)
    checkReview(reviews, report)
  } else {
    if (isJsonObject(clientConfig)) report('conversion', CLIENT, 'only the strategy Webhook has a client')
    if (reviews.length > 0) report('conversion', REVIEWS, 'only the strategy Webhook has reviews')
  }
  if (strategy !== 'None' && spec.preserveUnknownFields === true) {
    report('conversion', child(CONVERSION, 'strategy'), 'preserveUnknownFields: true allows only None')
  }
}

function checkClient(config: JsonObject[string] | undefined, report: Report): void {
  const {url, service} = asObject(config)
  const hasUrl = typeof url === 'string'
  if (hasUrl === isJsonObject(service)) {
    report('conversion', CLIENT, 'a webhook is reached by a url or by a service')
  } else if (hasUrl) {
    for (const error of urlErrors(url)) report('conversion', child(CLIENT, 'url'), error)
  } else checkService(asObject(service), child(CLIENT, 'service'), report)
}

/** `https://host[:port][/path]`, and nothing else. */
function urlErrors(url: string): string[] {
  const parts = /^([a-z][a-z0-9+.-]*):\/\/([^/?#]*)([^?#]*)/i.exec(url) ?? []
  const [scheme, authority, path] = [1, 2, 3].map(part => parts[part] ?? '') as [string, string, string]
  const host = authority.slice(authority.lastIndexOf('@') + 1)
  return [
    ...(scheme.toLowerCase() === 'https' ? [] : ['only https is allowed']),
    ...(isHost(host) ? [] : ['it must name a host']),
    ...(host === authority ? [] : ['it may not name a user']),
    ...(/%(?![0-9a-f]{2})/i.test(path) ? ['its path has an invalid escape'] : []),
    ...(/#./.test(url) || /\?[^#]/.test(url) ? ['it may have neither query nor fragment'] : []),
  ]
}

function isHost(host: string): boolean {
  return /^(?:\[[^\]]+\]|[^\s[\]<>"`{}|\\^:%]+)(?::\d*)?$/.test(host) && host !== ''
}

const MAX_PORT = 65535

function checkService(service: JsonObject, spot: Spot, report: Report): void {
  // The server compares names in both directions: missing ones and additional ones.
  if (asText(service.name) === '') report('conversion', child(spot, 'namespace', 'name'), 'it is missing')
  if (asText(service.namespace) === '')
    report('conversion', child(spot, 'name', 'namespace'), 'it is missing')
  const port = Number(service.port ?? 443)
  if (port < 1 || port > MAX_PORT) report('conversion', child(spot, 'port'), `${port} is not a valid port`)
  if (typeof service.path === 'string' && !isServicePath(service.path)) {
    report('conversion', child(spot, 'path'), 'it must be DNS subdomains, each after a slash')
  }
}

function isServicePath(path: string): boolean {
  if (path === '' || path === '/') return true
  return path.startsWith('/') && path.slice(1).replace(/\/$/, '').split('/').every(isDnsSubdomain)
}

function checkReview(reviews: readonly string[], report: Report): void {
  const seen = new Set<string>()
  reviews.forEach((version, index) => {
    const spot = item(REVIEWS, index)
    if (seen.has(version)) report('conversion', spot, `${version} is named twice`)
    else if (!isDns1035Label(version)) report('conversion', spot, `${version} is not a DNS label`)
    seen.add(version)
  })
  if (!REVIEW_VERSIONS.some(version => seen.has(version))) {
    report('conversion', REVIEWS, `they must name ${REVIEW_VERSIONS.join(' or ')}`)
  }
}
