import { Stack } from '#kit/browser/ui/Layout.tsx';
import styles from './ReviewSkeleton.module.css';

const rows = [12, 9, 12, 9, 9, 9];

/** The shape of a review while it loads: the head, six sections, and the documents beside them. */
export const ReviewSkeleton = () => (
  <div className={styles.skeleton} data-skeleton aria-hidden>
    <div className={styles.head} />
    <Stack gap={24} className={styles.grid}>
      <Stack gap={24}>
        {rows.map((count, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: grey shapes have no other name.
          <div key={index} className={styles.section} style={{ height: 40 + count * 28 }} />
        ))}
      </Stack>
      <div className={styles.documents} />
    </Stack>
  </div>
);
