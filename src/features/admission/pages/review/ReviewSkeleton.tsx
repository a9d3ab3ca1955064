import styles from './ReviewSkeleton.module.css';

const rows = [12, 9, 12, 9, 9, 9];

/** The shape of a review while it loads: the head, six sections, and the documents beside them. */
export const ReviewSkeleton = () => (
  <div className={styles.skeleton} data-skeleton aria-hidden>
    <div className={styles.head} />
    <div className={styles.grid}>
      <div className={styles.sections}>
        {rows.map((count, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: grey shapes have no other name.
          <div key={index} className={styles.section} style={{ height: 40 + count * 28 }} />
        ))}
      </div>
      <div className={styles.documents} />
    </div>
  </div>
);
