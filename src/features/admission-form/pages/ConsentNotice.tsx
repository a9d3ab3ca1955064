import { Trans } from '@lingui/react/macro';
import { configuration } from '#features/school/ui/configuration.ts';

/**
 * What a parent is told before anything is stored: who, what, why, with whom, how long, and which rights (DPDP Act).
 * A changed word is another notice: give `noticeVersion` of the contract a new date with it.
 */
export function Notice() {
  const { schoolName, schoolPhone, schoolEmail } = configuration();
  return (
    <section className="section plain notice-text">
      <h2>
        <Trans>Your data and your child’s</Trans>
      </h2>
      <h3>
        <Trans>Who asks</Trans>
      </h3>
      <p>
        <Trans>{schoolName}, which decides about the application.</Trans>
      </p>
      <h3>
        <Trans>What, and why</Trans>
      </h3>
      <ul>
        <li>
          <Trans>
            The child: name, birth date, photo, identity number, religion and caste, address. To decide about the place
            and for the school returns the government asks for. An Aadhaar number is voluntary; a passport number or
            “Applied for” will do.
          </Trans>
        </li>
        <li>
          <Trans>
            The family: parents and guardian, how to reach them, their work. To know who may decide and collect.
          </Trans>
        </li>
        <li>
          <Trans>Health: illnesses, allergies, special needs. So that the child is safe at school.</Trans>
        </li>
        <li>
          <Trans>
            Emergency contacts, languages and documents. To help in an emergency and to check the application.
          </Trans>
        </li>
      </ul>
      <h3>
        <Trans>Who sees it, and how long</Trans>
      </h3>
      <p>
        <Trans>
          Only the staff who need it: the admissions office, and for health the school’s nurse. It is not sold, not used
          for advertising, and given to authorities only where the law says so. If the child is not admitted, the
          application is erased after the school’s retention time; if it is, it becomes part of the child’s record.
        </Trans>
      </p>
      <h3>
        <Trans>Your rights</Trans>
      </h3>
      <p>
        <Trans>
          You can see, correct and have erased what you entered, and withdraw this consent at any time on the first page
          of the form. Ask the school: {schoolPhone} {schoolEmail}. If it does not help, you can complain to the Data
          Protection Board of India.
        </Trans>
      </p>
    </section>
  );
}
