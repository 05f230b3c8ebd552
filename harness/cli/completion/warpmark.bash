# bash completion for warpmark

_warpmark() {
  local -a words=()
  local word glued= command=
  # Readline parts words at = and :, which are part of ours.
  for word in "${COMP_WORDS[@]:1:COMP_CWORD}"; do
    if [[ ($word == [=:] || $glued) && ${#words[@]} -gt 0 ]]; then
      words[-1]+=$word
    else
      words+=("$word")
    fi
    [[ $word == [=:] ]] && glued=1 || glued=
  done
  local current=${words[-1]} previous=
  unset 'words[-1]'
  ((${#words[@]})) && previous=${words[-1]}
  for word in "${words[@]}"; do
    [[ $word == -* ]] || { command=$word && break; }
  done

  # The words that may come now, and whether paths may.
  local choices= paths= option=$previous
  [[ $current == --*=* ]] && option=${current%%=*}
  case "$command $option" in
@values@
    *)
      option=
      case "$command $current" in
@words@
      esac
      ;;
  esac

  [[ $option && $current == --*=* ]] && current=${current#*=}
  mapfile -t COMPREPLY < <(compgen -W "$choices" -- "$current")
  if [[ $paths ]]; then
    compopt -o filenames 2>/dev/null
    [[ $paths == folders ]] && word=-d || word=-f
    mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen "$word" -- "$current")
  fi
  # Readline keeps what stands before the last : by itself.
  [[ $current == *:* && $COMP_WORDBREAKS == *:* ]] && COMPREPLY=("${COMPREPLY[@]#"${current%:*}:"}")
  return 0
}

complete -F _warpmark warpmark
