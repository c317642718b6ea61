import {describe, expect, it} from '@jest/globals'
import {mirrorImageConfigs} from '../../../src/render/xpkg/mirror-image-configs.js'
import {asObject, asObjects, asText} from '../../../src/yaml/json-value.js'

/** The name of each ImageConfig with its prefix and that of the mirror. */
function rewrites(mirrors: Readonly<Record<string, string>>, ...repositories: readonly string[]) {
  const packages = repositories.map(repository => ({
    selected: {repository},
    reference: `${repository}:v1.0.0`,
  }))
  return mirrorImageConfigs(packages, mirrors)
    .map(({metadata, spec}) => {
      const {matchImages, rewriteImage} = asObject(spec)
      const [from] = asObjects(matchImages)
      return `${metadata.name} ${asText(from?.prefix)} ${asText(asObject(rewriteImage).prefix)}`
    })
    .sort()
}

describe('the ImageConfigs of mirrors', () => {
  it('are for a whole name that is in library/ without naming it', () => {
    expect(rewrites({'docker.io/library': 'm.example.org/lib'}, 'docker.io/app')).toEqual([
      'mirror-docker-io-app docker.io/app: m.example.org/lib/app:',
    ])
    expect(rewrites({'docker.io': 'm.example.org/hub'}, 'docker.io/app', 'docker.io/team/x')).toEqual([
      'mirror-docker-io docker.io/ m.example.org/hub/',
      'mirror-docker-io-app docker.io/app: m.example.org/hub/library/app:',
    ])
    expect(rewrites({'docker.io/library': 'm.example.org/lib'}, 'docker.io/library/app')).toEqual([
      'mirror-docker-io-library docker.io/library/ m.example.org/lib/',
    ])
  })

  it.each([
    {'docker.io': 'm.example.org/hub', 'docker.io/library': 'm.example.org/lib'},
    {'docker.io/library': 'm.example.org/lib', 'docker.io': 'm.example.org/hub'},
  ])('are one for each prefix, of the longest registry of %j', mirrors => {
    expect(rewrites(mirrors, 'docker.io/app', 'docker.io/team/x')).toEqual([
      'mirror-docker-io docker.io/ m.example.org/hub/',
      'mirror-docker-io-app docker.io/app: m.example.org/lib/app:',
    ])
  })

  it('have names of their own', () => {
    expect(rewrites({'r.io/team': 'm.example.org/team'}, 'r.io/team', 'r.io/team/x')).toEqual([
      'mirror-r-io-team r.io/team/ m.example.org/team/',
      'mirror-r-io-team-2 r.io/team: m.example.org/team:',
    ])
  })

  it('are one for the packages of a registry', () => {
    expect(rewrites({'r.example.org': 'm.example.org'}, 'r.example.org/a/x', 'r.example.org/b/y')).toEqual([
      'mirror-r-example-org r.example.org/ m.example.org/',
    ])
  })
})
