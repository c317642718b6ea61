import {spawnSync} from 'node:child_process'
import {Readable} from 'node:stream'
import {buffer} from 'node:stream/consumers'
import {extract} from 'tar-stream'
import {type Architecture, DEBIAN, DEBIAN_PACKAGES, type DebianPackage} from './debian-packages.js'
import {fetchDebian} from './fetch-debian.js'
import {fileAt, folderAt, linkAt, type RootEntry, USER} from './root-entry.js'

/** What no program in the image reads: conversions between character sets, and scripts for debuggers and tools of Debian. */
const LEFT_OUT = /\/gconv(?:\/|$)|^usr\/share\/(?:gcc|gdb|lintian)(?:\/|$)/

const HOME = '/home/nonroot'
/** https://manpages.debian.org/os-release: what scanners select their database by. */
const OS_RELEASE = `PRETTY_NAME="Debian GNU/Linux ${DEBIAN.version} (${DEBIAN.codename})"
NAME="Debian GNU/Linux"
VERSION_ID="${DEBIAN.version}"
VERSION="${DEBIAN.version} (${DEBIAN.codename})"
VERSION_CODENAME=${DEBIAN.codename}
ID=debian
`

/** Returns what the program needs of a system: the libraries of Debian, and a user without rights. */
export async function debianRoot(
  architecture: Architecture,
  archive?: string,
): Promise<readonly RootEntry[]> {
  const packages = []
  for (const deb of DEBIAN_PACKAGES) packages.push(...(await packageEntries(deb, architecture, archive)))
  return [...packages, ...systemEntries(architecture)]
}

function systemEntries(architecture: Architecture): readonly RootEntry[] {
  const noLogin = '/usr/sbin/nologin'
  // Debian installs into /usr; executables name their loader without it.
  const loaders = architecture === 'amd64' ? ['lib', 'lib64'] : ['lib']
  return [
    ...loaders.map(path => linkAt(path, `usr/${path}`)),
    folderAt('tmp', 0o1777),
    folderAt(HOME.slice(1), 0o700, USER),
    fileAt('etc/os-release', OS_RELEASE),
    fileAt('etc/nsswitch.conf', 'passwd: files\ngroup: files\nhosts: files dns\n'),
    fileAt('etc/group', `root:x:0:\nnonroot:x:${USER}:\n`),
    fileAt(
      'etc/passwd',
      `root:x:0:0:root:/root:${noLogin}\nnonroot:x:${USER}:${USER}:nonroot:${HOME}:${noLogin}\n`,
    ),
  ]
}

async function packageEntries(
  deb: DebianPackage,
  architecture: Architecture,
  archive: string | undefined,
): Promise<readonly RootEntry[]> {
  const path = fetchDebian(deb, architecture, archive)
  // Scanners find packages here in images without a package manager.
  const status = fileAt(`var/lib/dpkg/status.d/${deb.name}`, dpkgDeb('--field', path))
  const entries: RootEntry[] = [status]
  for await (const member of Readable.from([dpkgDeb('--fsys-tarfile', path)]).pipe(extract())) {
    const {name, type, mode, linkname} = member.header
    const at = name.replace(/^\.?\//, '').replace(/\/$/, '')
    const content = await buffer(member)
    if (type === 'directory' || LEFT_OUT.test(at)) continue
    if (type === 'file') entries.push(fileAt(at, content, mode & 0o777))
    else if (type === 'symlink') entries.push(linkAt(at, linkname))
    else throw new Error(`cannot make the image: ${deb.name} has a ${type} at ${at}`)
  }
  return entries
}

const MAX_BYTES = 256 * 1024 * 1024

/** Runs the program that reads packages, which decompresses them, too. */
function dpkgDeb(option: string, path: string): Buffer {
  const {status, error, stdout, stderr} = spawnSync('dpkg-deb', [option, path], {maxBuffer: MAX_BYTES})
  if (error === undefined && status === 0) return stdout
  throw new Error(`cannot make the image: dpkg-deb ${option} ${path}: ${error?.message ?? stderr.toString()}`)
}
