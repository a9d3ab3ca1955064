import { Trans } from '@lingui/react/macro';
import { configuration } from '#features/school/ui/configuration.ts';
import styles from './ConsentNotice.module.css';

/**
 * The notice a parent agrees to before anything is stored (DPDP Act). A changed word is a new notice: give
 * `noticeVersion` in the contract a new date.
 */
export function Notice() {
  const { schoolName, schoolPhone, schoolEmail } = configuration();
  return (
    <section className={`section plain ${styles.text}`}>
      <h2>
        <Trans>Your data and your child’s data</Trans>
      </h2>
      <h3>
        <Trans>Who collects this</Trans>
      </h3>
      <p>
        <Trans>{schoolName}. The school decides about the application.</Trans>
      </p>
      <h3>
        <Trans>What we collect and why</Trans>
      </h3>
      <ul>
        <li>
          <Trans>
            The child: name, birth date, photo, identity number, religion and caste, address. To decide about admission
            and for the reports that the government asks of schools. The Aadhaar number is voluntary: you may enter a
            passport number or “Applied for”.
          </Trans>
        </li>
        <li>
          <Trans>
            The family: parents and guardian, contact details, work. To know who may decide for the child and take the
            child home.
          </Trans>
        </li>
        <li>
          <Trans>Health: illnesses, allergies, special needs. To keep the child safe at school.</Trans>
        </li>
        <li>
          <Trans>
            Emergency contacts, languages and documents. To help in an emergency and to check the application.
          </Trans>
        </li>
      </ul>
      <h3>
        <Trans>Who sees it and how long we keep it</Trans>
      </h3>
      <p>
        <Trans>
          Only staff who need it: the admissions office, and for health the head of admissions and the school nurse. We
          do not sell it or use it for advertising, and give it to authorities only where the law requires it. If the
          child is not admitted, we erase the application after the school’s retention period. If the child is admitted,
          it becomes part of the child’s record.
        </Trans>
      </p>
      <h3>
        <Trans>Your rights</Trans>
      </h3>
      <p>
        <Trans>
          You can see and correct your answers, ask us to erase them, and withdraw this consent at any time on the first
          page of the form. Contact the school: {schoolPhone} {schoolEmail}. If the school does not help, you can
          complain to the Data Protection Board of India.
        </Trans>
      </p>
    </section>
  );
}
