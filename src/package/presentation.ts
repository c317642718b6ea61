/** How the authors of a package present it to users. Texts are those of the package, unescaped. */
export interface Presentation {
  /** What it is: the kind of its request, or the type in app.yaml. */
  readonly type: string
  readonly title: string
  /** A sentence or two. */
  readonly overview: string
  /** Markdown. */
  readonly readme: string
  readonly category: string
  readonly keywords: readonly string[]
  readonly maintainers: readonly string[]
  readonly company: string
  readonly license: string
  readonly website: string
  readonly source: string
  /** A `data:` URI, as the package has it. */
  readonly icon: string
  /** In no order; kinds without any have none. */
  readonly kinds: readonly PresentedKind[]
}

/** How authors present one kind. */
export interface PresentedKind {
  /** `PLURAL.GROUP` */
  readonly crd: string
  readonly title: string
  readonly overview: string
  readonly readme: string
  readonly category: string
  readonly icon: string
  readonly groupTitle: string
  readonly groupOverview: string
  /** Markdown about the group. */
  readonly groupReadme: string
  /** The files that describe a form for it, as text that need not be YAML. */
  readonly uiSchemas: readonly string[]
}
