import styles from './Skeleton.module.css';

/** Grey shapes in the place of questions that are loading, and of the title above them. */
export const Skeleton = ({ hasTitle = false }: { hasTitle?: boolean }) => (
  <div className={styles.skeleton} data-skeleton aria-hidden>
    {hasTitle && (
      <>
        <i className={styles.steps} />
        <i className={styles.title} />
      </>
    )}
    <i className={styles.section} />
    <i className={styles.section} />
  </div>
);
