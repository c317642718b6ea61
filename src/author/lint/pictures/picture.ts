/** The types of picture that an icon may have. */
export type PictureType = 'image/svg+xml' | 'image/png' | 'image/jpeg' | 'image/gif'

/** Properties of a picture by its bytes, regardless of its file name. */
export interface PictureFacts {
  /** In pixels; none where the picture scales, or where the damage is. */
  readonly size?: {readonly width: number; readonly height: number}
  /** Why it cannot be shown, in words that follow "because". */
  readonly damage?: string
  /** What it does besides being a picture, in words that follow its name. */
  readonly activity?: readonly string[]
}
