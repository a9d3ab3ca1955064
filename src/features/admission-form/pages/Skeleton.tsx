import styles from './Skeleton.module.css';

/** Grey shapes in the place of questions that are loading, and of the steps and the title above them. */
export const Skeleton = ({ hasTitle = false }: { hasTitle?: boolean }) => (
  <div className={styles.skeleton} data-skeleton aria-hidden>
    {hasTitle && (
      <>
        <i />
        <i />
      </>
    )}
    <i />
    <i />
  </div>
);
