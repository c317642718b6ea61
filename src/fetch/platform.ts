import {CrossplaneError} from '../errors.js'

/** The platform of an image, in the terms of Go: `linux`, `arm`, `v7`. */
export interface Platform {
  readonly os: string
  readonly architecture: string
  readonly variant?: string
}

/** The default platform. A package's files are the same on all platforms; its controller is not. */
export const DEFAULT_PLATFORM: Platform = {os: 'linux', architecture: 'amd64'}

/** Reads `os/architecture[/variant]`; `usage` for anything else. */
export function parsePlatform(text: string): Platform {
  const parts = text.trim().toLowerCase().split('/')
  const [os, architecture, variant] = parts
  if (os === undefined || architecture === undefined || parts.length > 3 || !parts.every(isWord)) {
    throw new CrossplaneError('usage', `invalid platform ${JSON.stringify(text)}`, {
      suggestions: ['Use OS/ARCH or OS/ARCH/VARIANT, such as linux/arm64.'],
    })
  }
  return {
    os,
    architecture: ALIASES.get(architecture) ?? architecture,
    variant,
  }
}

/** The opposite of `parsePlatform`. */
export function formatPlatform({os, architecture, variant}: Platform): string {
  return [os, architecture, ...(variant === undefined ? [] : [variant])].join('/')
}

/**
 * Selects the best candidate for a platform: same system and architecture, and the newest variant not above its own
 * (`linux/arm64` is v8, `linux/arm` v7, `linux/amd64` v1). The first of equals; undefined when none runs there.
 */
export function choosePlatform<T extends {readonly platform?: Platform}>(
  candidates: readonly T[],
  requested: Platform,
): T | undefined {
  return candidates
    .map(candidate => ({candidate, fitness: fitness(candidate.platform, requested)}))
    .filter(({fitness}) => fitness >= 0)
    .reduce<{candidate?: T; fitness: number}>((best, next) => (next.fitness > best.fitness ? next : best), {
      fitness: -1,
    }).candidate
}

/** The names of `uname` for architectures that Go names differently. */
const ALIASES: ReadonlyMap<string, string> = new Map([
  ['aarch64', 'arm64'],
  ['x86_64', 'amd64'],
  ['x86-64', 'amd64'],
])

/**
 * Architectures whose variants are generations, each running images built for older ones, with the default variant.
 */
const GENERATIONS: ReadonlyMap<string, number> = new Map([
  ['amd64', 1],
  ['arm', 7],
  ['arm64', 8],
])

/** Returns a negative number if `platform` does not run on `requested`; otherwise a higher number is better. */
function fitness(platform: Platform | undefined, requested: Platform): number {
  if (platform?.os !== requested.os || platform.architecture !== requested.architecture) return -1
  const unnamed = GENERATIONS.get(requested.architecture)
  if (unnamed === undefined) return plainFitness(platform.variant, requested.variant)
  const generation = generationOf(platform.variant, unnamed)
  return generation <= generationOf(requested.variant, unnamed) ? generation : -1
}

function plainFitness(variant: string | undefined, requested: string | undefined): number {
  if (variant === requested) return 1
  return requested === undefined ? 0 : -1
}

/** The number in `v7`; NaN, which matches no platform, for any other variant. */
function generationOf(variant: string | undefined, unnamed: number): number {
  if (variant === undefined || variant === '') return unnamed
  return /^v\d+(\.\d+)?$/.test(variant) ? Number(variant.slice(1)) : Number.NaN
}

function isWord(part: string): boolean {
  return /^[a-z0-9][a-z0-9._-]*$/.test(part)
}
