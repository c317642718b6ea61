import type {HttpResponse} from './http.js'

/** Reports whether a response is a web page: that of a proxy or a login in place of a registry or an API server. */
export function isWebPage({headers}: Pick<HttpResponse, 'headers'>): boolean {
  return /^\s*text\/html\b/i.test(headers['content-type'] ?? '')
}
