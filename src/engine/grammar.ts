/**
 * How to read a teaching table and write programs, on one page: what stands in the description of `plasm`, at
 * `GET /v1/grammar` and in `plasmid help language`, byte for byte the same.
 */
export const GRAMMAR = `A program is one string with real line breaks. \`x = EXPR\` binds a label; the last line is what to return: \`x, y\`. \`;;\` begins a comment; a line that starts with \`.\`, \`[\` or \`{\` continues the one above.
Table rows: left an expression, \`$\` to fill in; right its result (\`[e1]\` rows, \`e1\` one, \`write\` changes data), fields, \`also\` relations to entities to pick first, \`opt\` arguments. \`name type\`: no type is text, or that of the field of this name; \`a|b\` one of these; \`by e2\`, \`by User\`: its key (\`"a/b"\`); \`by.name\` a column.
e1  all rows · e1{state=open, n>3, by.name~jo, p=[1, 2]}  rows where (= != < <= > >= ~; a list: one of) · e1~"words"  search · x{n>3}  of rows x
e1(42) · e1(owner=a, repo=b)  one by key
x.labels  follow a field or relation of type e# · e1(42).close(reason=done) · e1.create(title="t")  methods
x[id, by=author.name]  columns · .limit(5) .sort(created_at, desc) .singleton() .page_size(50)
.aggregate(n=count, t=sum(price)) · .group_by(state, n=count) with sum avg min max
x => _.close(reason=_.why)  per row \`_\` of x · x => _.labels[name, _.id]
x[a, b] <<T … T  a Minijinja template over \`rows\`: one row with \`content\`; or a long text
page(s0_pg1)  next page
Values: "text", 12, true, 2024-01-31, today-7d, open, null, [a, b], {k=v}, x.tags[0] (of one row), "with \${x.field}".
`
