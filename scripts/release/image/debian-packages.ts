/** A Debian package in the image: its path in an archive of Debian, and its SHA-256 for each architecture. */
export interface DebianPackage {
  readonly name: string
  readonly version: string
  /** The folder in the pool. */
  readonly folder: string
  readonly license: string
  readonly sha256: Readonly<Record<Architecture, string>>
}

/** The architectures of the image, in the names of Debian, which are also those of Go. */
export type Architecture = 'amd64' | 'arm64'

/** The Debian release of all packages. */
export const DEBIAN = {version: '13', codename: 'trixie'}

/** A time at which snapshot.debian.org has all packages: the pool keeps only the newest version of each. */
export const SNAPSHOT = '20261126T000000Z'

/** The libraries that Node links, and `gcc-14-base` with their licenses. docs/releasing.md says how to change them. */
export const DEBIAN_PACKAGES: readonly DebianPackage[] = [
  {
    name: 'gcc-14-base',
    version: '14.2.0-19',
    folder: 'main/g/gcc-14',
    license: 'GPL-3.0-or-later WITH GCC-exception-3.1',
    sha256: {
      amd64: '5b6825de4263824b78c4c51f6476414f3b4e89c2ab63e81dc8b9b5501e867cf6',
      arm64: '34ee90679b018c0e64234747a4c4c0ae6b7f63541115037465a8627c2dfbc594',
    },
  },
  {
    name: 'libc6',
    version: '2.41-12+deb13u5',
    folder: 'main/g/glibc',
    license: 'LGPL-2.1-or-later',
    sha256: {
      amd64: 'b59b0625cd1a791375d40dab23a4d5d3d0641e3d0a773501becdc3725b7f99cf',
      arm64: '0966fc3da1a26cc57647c68b5736f791b6e7eb498173a7993f63b6c89b4ed4f5',
    },
  },
  {
    name: 'libgcc-s1',
    version: '14.2.0-19',
    folder: 'main/g/gcc-14',
    license: 'GPL-3.0-or-later WITH GCC-exception-3.1',
    sha256: {
      amd64: '3c71917b490d1a17aed43196a2787a256ecf060526cdb20216a74bedc061b150',
      arm64: '1108bc87879833d6d9a145f22a4a15cddb34e065b4b5f4b97bee586adbac2851',
    },
  },
  {
    name: 'libstdc++6',
    version: '14.2.0-19',
    folder: 'main/g/gcc-14',
    license: 'GPL-3.0-or-later WITH GCC-exception-3.1',
    sha256: {
      amd64: 'ab1fa05837aa7a92aae748fd07a18a35f7d18bb4a71c4724fe2bbf0e32089de0',
      arm64: '6669b0c52a2e7c6af9adfdabce3ff6e286065cdfbc7b85280862b5f799daebee',
    },
  },
]

/** Returns the file name of a package in the pool. */
export function debName({name, version}: DebianPackage, architecture: Architecture): string {
  return `${name}_${version}_${architecture}.deb`
}
