import type {ProxySettings} from '../../http/proxy.js'

/** Reads the proxies of an environment; undefined where none is set. Variables in upper case take precedence. */
export function proxySettings(env: Readonly<Record<string, string | undefined>>): ProxySettings | undefined {
  const value = (name: string) =>
    [env[name], env[name.toLowerCase()]].find(setting => setting !== undefined && setting !== '')
  const [https = '', http = '', no = ''] = [value('HTTPS_PROXY'), value('HTTP_PROXY'), value('NO_PROXY')]
  return https === '' && http === '' ? undefined : {https, http, no}
}
