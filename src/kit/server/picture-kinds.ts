/** The tags of pictures that are to be opened, and of what comes back for them, by their place in these lists. */
export const pictureKinds = ['png', 'jpeg', 'gif'] as const;
export type PictureKind = (typeof pictureKinds)[number];
export const answerKinds = ['image/png', 'image/jpeg', 'refused', 'late'] as const;
