/** Memoizes a pure function of an object, by the object's identity, for as long as the object lives. */
export function once<Subject extends object, Answer>(
  derive: (subject: Subject) => Answer,
): (subject: Subject) => Answer {
  const answers = new WeakMap<Subject, { readonly answer: Answer }>()
  return (subject) => {
    let kept = answers.get(subject)
    if (!kept) answers.set(subject, (kept = { answer: derive(subject) }))
    return kept.answer
  }
}
