# fish completion for warpmark

complete -c warpmark -f
@options@
