/** As the function given, which must be pure: the answer for an object is derived once and kept as long as the object lives. */
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
