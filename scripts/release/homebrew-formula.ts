import type {Released} from './krew-manifest.js'
import {archiveName} from './platforms.js'

/** What a formula says besides the addresses of archives. */
export interface Formula {
  readonly description: string
  readonly homepage: string
  readonly version: string
  readonly license: string
}

const ON_OS = {darwin: 'on_macos', linux: 'on_linux'}
const ON_ARCH = {amd64: 'on_intel', arm64: 'on_arm'}

/** Returns a Homebrew formula that installs an archive as it is. See https://docs.brew.sh/Formula-Cookbook */
export function homebrewFormula(formula: Formula, address: string, released: readonly Released[]): string {
  const systems = (['darwin', 'linux'] as const).flatMap(os => {
    const archives = released.filter(({platform}) => platform.os === os)
    return archives.length === 0 ? [] : [onSystem(ON_OS[os], address, archives)]
  })
  return `class KubectlCrossplane < Formula
  desc ${JSON.stringify(descriptionOf(formula))}
  homepage ${JSON.stringify(formula.homepage)}
  version ${JSON.stringify(formula.version)}
  license ${JSON.stringify(formula.license)}

${systems.join('\n')}
  def install
    libexec.install Dir["*"]
    bin.install_symlink libexec/"kubectl-crossplane", libexec/"kubectl_complete-crossplane"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/kubectl-crossplane version")
  end
end
`
}

/** Homebrew rejects an article at the start of a description. */
function descriptionOf({description}: Formula): string {
  const text = description.replace(/^An? /, '')
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`
}

function onSystem(block: string, address: string, archives: readonly Released[]): string {
  const lines = archives.flatMap(({platform, sha256}) => [
    `    ${ON_ARCH[platform.arch]} do`,
    `      url "${address}/${archiveName(platform)}"`,
    `      sha256 "${sha256}"`,
    '    end',
  ])
  return `  ${block} do\n${lines.join('\n')}\n  end\n`
}
