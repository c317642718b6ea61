/** The types of picture that an icon may have. */
export type PictureType = 'image/svg+xml' | 'image/png' | 'image/jpeg' | 'image/gif'

/** Properties of a picture by its bytes, regardless of its file name. */
export interface PictureFacts {
  /** In pixels; undefined where the picture scales or is damaged. */
  readonly size?: {readonly width: number; readonly height: number}
  /** The reason why it cannot be displayed, as words after "because". */
  readonly damage?: string
  /** Its active content, as words after its name. */
  readonly activity?: readonly string[]
}
