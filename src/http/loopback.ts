/** Reports whether a host, as URLs have it, is the local machine: `localhost`, 127.0.0.0/8 or `[::1]`. */
export function isLoopback(hostname: string): boolean {
  return (
    /^localhost$/i.test(hostname) || hostname === '[::1]' || /^127(?:\.(?:0|[1-9]\d{0,2})){3}$/.test(hostname)
  )
}
